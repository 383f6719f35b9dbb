package dev.weir.server;

import dev.weir.guard.Timers;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Since when a store elsewhere does not answer, and why; and what was decided meanwhile.
 *
 * <p>An outage is a line when it begins, with the cause as it is known by the first probe half a
 * second later: what fails first only finds the connection gone, and Redis's own words come with
 * the next attempt to connect. It is another line if the cause changes; after that, not more often
 * than each half minute. And it is a line when it is over and the store has been told what it
 * missed.
 */
final class StoreOutages {
  private static final long CAUSE_KNOWN_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final long MAX_UNKNOWN_NANOS = TimeUnit.SECONDS.toNanos(3);
  private static final long MAX_ROW_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final long NEXT_CAUSE_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final long SETTLING_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long MAX_SETTLING_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final StoreLog log;
  private final Timers timers;
  private final String address;
  private final String subject;
  private final UnaryOperator<String> placeNames;
  private final Supplier<FailureModes> modes;
  private final Supplier<StoreTally> tally;
  private final Recovery recovery;

  /** Why each place failed last. */
  private final Map<String, String> causes = new ConcurrentHashMap<>();

  /** Other causes that were heard once since. */
  private final Map<String, String> doubted = new ConcurrentHashMap<>();

  private final Map<String, Lost> lost = new LinkedHashMap<>();

  /** As it was before the first of the failures that are in a row by now; null if none is. */
  private volatile @Nullable StoreTally beforeFailures;

  /** Whether a place is lost of which there is no line yet. */
  private volatile boolean unannounced;

  private @Nullable StoreTally before;
  private @Nullable Ended ended;

  /** How the store catches up. */
  interface Recovery {
    /** Counters of which it is still to be told, or is being told. */
    int pending();

    /** Whether it says when it has forgotten everything. */
    boolean knowsMemory();
  }

  /** A place that does not answer. */
  private static final class Lost {
    private final Instant since;

    /** From then on its next line may come. */
    private long nextNanos;

    private @Nullable String logged;

    Lost(Instant since, long nextNanos) {
      this.since = since.truncatedTo(ChronoUnit.SECONDS);
      this.nextNanos = nextNanos;
    }
  }

  /** An outage that is over, but not yet told. */
  private record Ended(StoreTally before, long nanos) {}

  StoreOutages(
      StoreLog log,
      Timers timers,
      StoreInUse store,
      Supplier<FailureModes> modes,
      Supplier<StoreTally> tally,
      Recovery recovery) {
    this.log = log;
    this.timers = timers;
    this.address = store.address();
    this.subject = address.isEmpty() ? "The store" : "The store at " + address;
    this.placeNames = store.places()::name;
    this.modes = modes;
    this.tally = tally;
    this.recovery = recovery;
  }

  /** Notes an answer, or that none came. On the path of every request. */
  void onAnswer(boolean answered) {
    if (answered != (beforeFailures == null)) {
      beforeFailures = answered ? null : tally.get();
    }
  }

  /** Notes why a place failed. */
  void onFailure(String place, Throwable failure) {
    String cause = cause(failure);
    boolean same = cause.equals(causes.get(place));
    if (same) {
      doubted.remove(place);
    }
    if (!same || unannounced) {
      setCause(place, cause);
    }
  }

  /** Whoever notices first that an answer is late, and whether it was sent by then, is no cause. */
  private static String cause(Throwable failure) {
    String message = String.valueOf(failure.getMessage());
    return message.endsWith(" in time") ? "no answer in time" : message;
  }

  private synchronized void setCause(String place, String cause) {
    Lost one = lost.get(place);
    // One answer that is late, for a machine stood still, is no other cause.
    boolean doubtful = one != null && one.logged != null;
    if (!doubtful || cause.equals(doubted.put(place, cause))) {
      causes.put(place, cause);
    }
    if (one != null && timers.nanos() - one.nextNanos >= 0) {
      announce(place, one);
    }
  }

  synchronized void onLost(String place, Throwable failure) {
    end();
    onFailure(place, failure);
    StoreTally now = tally.get();
    StoreTally first = firstFailure(now);
    if (before == null) {
      before = first.announcedAs(now);
    }
    Instant since = Instant.now().minusNanos(now.nanos() - first.nanos());
    Lost one = new Lost(since, now.nanos() + CAUSE_KNOWN_NANOS);
    lost.put(place, one);
    unannounced = true;
    timers.after(MAX_UNKNOWN_NANOS, () -> begin(place, one));
  }

  /** Of failures long ago nobody knows whether probes were answered since. */
  private StoreTally firstFailure(StoreTally now) {
    StoreTally first = beforeFailures;
    return first == null || now.nanos() - first.nanos() > MAX_ROW_NANOS ? now : first;
  }

  private synchronized void begin(String place, Lost one) {
    if (one.logged == null && lost.get(place) == one) {
      announce(place, one);
    }
  }

  private void announce(String place, Lost one) {
    String cause = causes.getOrDefault(place, "");
    if (cause.equals(one.logged)) {
      return;
    }
    String then = "; until it does, when-store-fails decides (rules that " + modes.get() + ")";
    log.lost(line(place, one) + then);
    one.nextNanos = timers.nanos() + (one.logged == null ? 0 : NEXT_CAUSE_NANOS);
    one.logged = cause;
    unannounced = lost.values().stream().anyMatch(other -> other.logged == null);
  }

  private String line(String place, Lost one) {
    String name = placeNames.apply(place);
    String who = name.isEmpty() ? subject : name + ", a part of the store,";
    String cause = causes.getOrDefault(place, "");
    return who + " does not answer since " + one.since + ": " + cause;
  }

  synchronized void onRecovered() {
    lost.forEach(this::begin);
    lost.clear();
    causes.clear();
    doubted.clear();
    beforeFailures = null;
    if (before != null) {
      ended = new Ended(before, timers.nanos());
      before = null;
      settle(ended);
    }
  }

  /** Waits until the store has been told what it missed. */
  @SuppressWarnings("ReferenceEquality") // another outage is another object
  private synchronized void settle(Ended outage) {
    if (!outage.equals(ended)) {
      return;
    }
    boolean late = timers.nanos() - outage.nanos > MAX_SETTLING_NANOS;
    if (late || (recovery.pending() == 0 && isMemoryHeard(outage))) {
      end();
    } else {
      timers.after(SETTLING_NANOS, () -> settle(outage));
    }
  }

  private boolean isMemoryHeard(Ended outage) {
    return !recovery.knowsMemory() || tally.get().announced() > outage.before.announced();
  }

  /** Tells of an outage that is over, if nobody did. */
  private void end() {
    Ended outage = ended;
    if (outage != null) {
      ended = null;
      StoreTally now = tally.get();
      StoreTally then = outage.before;
      String what = now.at(outage.nanos).since(then, recovery.pending(), recovery.knowsMemory());
      log.found(subject + " answers again " + what, now.cameBackEmpty(then));
    }
  }

  /** Tells what is not told yet. */
  synchronized void flush() {
    lost.forEach(this::begin);
    end();
  }

  /**
   * What somebody should look after.
   *
   * @param silent places that do not answer; one that is no more is not among them
   */
  synchronized List<String> problems(Set<String> silent) {
    return lost.entrySet().stream()
        .filter(one -> silent.contains(one.getKey()))
        .map(one -> line(one.getKey(), one.getValue()))
        .toList();
  }

  /** The same in parts. */
  synchronized JsonArray json(Set<String> silent) {
    JsonArray all = new JsonArray();
    lost.forEach(
        (place, one) -> {
          if (silent.contains(place)) {
            String name = placeNames.apply(place);
            all.add(
                new JsonObject()
                    .put("address", name.isEmpty() ? address : name)
                    .put("since", one.since.toString())
                    .put("cause", causes.getOrDefault(place, "")));
          }
        });
    return all;
  }
}
