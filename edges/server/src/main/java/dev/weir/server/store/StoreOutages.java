package dev.weir.server.store;

import dev.weir.async.Scheduler;
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
 * The outages of a shared store: since when it does not answer, why, and what was decided
 * meanwhile. Safe for use by any number of threads.
 *
 * <p>An outage is logged when it begins, with the cause as it is known by the first health probe
 * half a second later: the first failure only finds the connection closed, and Redis's own message
 * comes with the next attempt to connect. It is logged again if the cause changes; after that, at
 * most every half minute. It is logged once more when it is over and the pending charges are
 * settled.
 */
final class StoreOutages {
  private static final long CAUSE_KNOWN_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final long MAX_UNKNOWN_NANOS = TimeUnit.SECONDS.toNanos(3);
  private static final long MAX_ROW_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final long NEXT_CAUSE_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final long SETTLING_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long MAX_SETTLING_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final StoreLog log;
  private final Scheduler scheduler;
  private final String address;
  private final String subject;
  private final UnaryOperator<String> shardNames;
  private final Supplier<FailureModeCounts> modes;
  private final Supplier<StoreTally> tally;
  private final Recovery recovery;

  /** The cause of the last failure of each shard. */
  private final Map<String, String> causes = new ConcurrentHashMap<>();

  /** Other causes that occurred only once since. */
  private final Map<String, String> unconfirmed = new ConcurrentHashMap<>();

  private final Map<String, Lost> lost = new LinkedHashMap<>();

  /** The tally before the first of the current consecutive failures; null if there are none. */
  private volatile @Nullable StoreTally beforeFailures;

  /** Whether a shard is lost whose outage is not logged yet. */
  private volatile boolean unannounced;

  private @Nullable StoreTally before;
  private @Nullable Ended ended;

  /** How the store recovers from an outage. */
  interface Recovery {
    /** Keys whose local grants are not yet charged to the store. */
    int pending();

    /** Whether the store reports that it has lost its counters. */
    boolean knowsMemory();
  }

  /** A shard that does not answer. */
  private static final class Lost {
    private final Instant since;

    /** The earliest time of its next log line. */
    private long nextNanos;

    private @Nullable String logged;

    Lost(Instant since, long nextNanos) {
      this.since = since.truncatedTo(ChronoUnit.SECONDS);
      this.nextNanos = nextNanos;
    }
  }

  /** An outage that is over, but not yet logged. */
  private record Ended(StoreTally before, long nanos) {}

  StoreOutages(
      StoreLog log,
      Scheduler scheduler,
      StoreConfig store,
      Supplier<FailureModeCounts> modes,
      Supplier<StoreTally> tally,
      Recovery recovery) {
    this.log = log;
    this.scheduler = scheduler;
    this.address = store.address();
    this.subject = address.isEmpty() ? "The store" : "The store at " + address;
    this.shardNames = store.shards()::name;
    this.modes = modes;
    this.tally = tally;
    this.recovery = recovery;
  }

  /** Called for every answer, or its absence, on the path of every request. */
  void onAnswer(boolean answered) {
    if (answered != (beforeFailures == null)) {
      beforeFailures = answered ? null : tally.get();
    }
  }

  /** Called for each failure of a shard. */
  void onFailure(String shard, Throwable failure) {
    String cause = cause(failure);
    boolean same = cause.equals(causes.get(shard));
    if (same) {
      unconfirmed.remove(shard);
    }
    if (!same || unannounced) {
      setCause(shard, cause);
    }
  }

  /** Timeouts are one cause, whichever deadline noticed them, and whether or not it was sent. */
  private static String cause(Throwable failure) {
    String message = String.valueOf(failure.getMessage());
    return message.endsWith(" in time") ? "no answer in time" : message;
  }

  private synchronized void setCause(String shard, String cause) {
    Lost one = lost.get(shard);
    // After the first line a cause must occur twice: one late answer, of a machine that paused, is
    // no new cause.
    boolean needsConfirmation = one != null && one.logged != null;
    if (!needsConfirmation || cause.equals(unconfirmed.put(shard, cause))) {
      causes.put(shard, cause);
    }
    if (one != null && scheduler.nanos() - one.nextNanos >= 0) {
      log(shard, one);
    }
  }

  /** A shard stopped answering. */
  synchronized void onLost(String shard, Throwable failure) {
    end();
    onFailure(shard, failure);
    StoreTally now = tally.get();
    StoreTally first = firstFailure(now);
    if (before == null) {
      before = first.announcedAs(now);
    }
    Instant since = Instant.now().minusNanos(now.nanos() - first.nanos());
    Lost one = new Lost(since, now.nanos() + CAUSE_KNOWN_NANOS);
    lost.put(shard, one);
    unannounced = true;
    scheduler.schedule(MAX_UNKNOWN_NANOS, () -> logOnce(shard, one));
  }

  /** Failures long ago do not count: probes may have been answered since. */
  private StoreTally firstFailure(StoreTally now) {
    StoreTally first = beforeFailures;
    return first == null || now.nanos() - first.nanos() > MAX_ROW_NANOS ? now : first;
  }

  private synchronized void logOnce(String shard, Lost one) {
    if (one.logged == null && lost.get(shard) == one) {
      log(shard, one);
    }
  }

  private void log(String shard, Lost one) {
    String cause = causes.getOrDefault(shard, "");
    if (cause.equals(one.logged)) {
      return;
    }
    String then = "; until it does, when-store-fails decides (rules that " + modes.get() + ")";
    log.lost(line(shard, one) + then);
    one.nextNanos = scheduler.nanos() + (one.logged == null ? 0 : NEXT_CAUSE_NANOS);
    one.logged = cause;
    unannounced = lost.values().stream().anyMatch(other -> other.logged == null);
  }

  private String line(String shard, Lost one) {
    String name = shardNames.apply(shard);
    String who = name.isEmpty() ? subject : name + ", a part of the store,";
    String cause = causes.getOrDefault(shard, "");
    return who + " has not answered since " + one.since + ": " + cause;
  }

  /** All shards answer again. */
  synchronized void onRecovered() {
    lost.forEach(this::logOnce);
    lost.clear();
    causes.clear();
    unconfirmed.clear();
    beforeFailures = null;
    if (before != null) {
      ended = new Ended(before, scheduler.nanos());
      before = null;
      settle(ended);
    }
  }

  /** Waits until the pending charges are settled, and then logs the end of the outage. */
  @SuppressWarnings("ReferenceEquality") // another outage is another object
  private synchronized void settle(Ended outage) {
    if (!outage.equals(ended)) {
      return;
    }
    boolean late = scheduler.nanos() - outage.nanos > MAX_SETTLING_NANOS;
    if (late || (recovery.pending() == 0 && isMemoryKnown(outage))) {
      end();
    } else {
      scheduler.schedule(SETTLING_NANOS, () -> settle(outage));
    }
  }

  private boolean isMemoryKnown(Ended outage) {
    return !recovery.knowsMemory() || tally.get().announced() > outage.before.announced();
  }

  /** Logs an outage that is over, unless it is logged already. */
  private void end() {
    Ended outage = ended;
    if (outage != null) {
      ended = null;
      StoreTally now = tally.get();
      StoreTally then = outage.before;
      String summary = now.at(outage.nanos).since(then, recovery.pending(), recovery.knowsMemory());
      log.recovered(subject + " answers again " + summary, now.cameBackEmpty(then));
    }
  }

  /** Logs everything that is not logged yet. */
  synchronized void flush() {
    lost.forEach(this::logOnce);
    end();
  }

  /**
   * What operators should look into.
   *
   * @param silent the shards that do not answer; a shard that was removed is not among them
   */
  synchronized List<String> problems(Set<String> silent) {
    return lost.entrySet().stream()
        .filter(one -> silent.contains(one.getKey()))
        .map(one -> line(one.getKey(), one.getValue()))
        .toList();
  }

  /**
   * The current outages as JSON.
   *
   * @param silent the shards that do not answer
   */
  synchronized JsonArray json(Set<String> silent) {
    JsonArray all = new JsonArray();
    lost.forEach(
        (shard, one) -> {
          if (silent.contains(shard)) {
            String name = shardNames.apply(shard);
            all.add(
                new JsonObject()
                    .put("address", name.isEmpty() ? address : name)
                    .put("since", one.since.toString())
                    .put("cause", causes.getOrDefault(shard, "")));
          }
        });
    return all;
  }
}
