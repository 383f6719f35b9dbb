package dev.weir.server.action;

import dev.weir.shared.fleet.FleetTable;
import dev.weir.shared.fleet.FleetTable.Entry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The actions that this server knows, by the monotonic clock; pure bookkeeping for one thread.
 *
 * <p><b>How it agrees with other servers.</b> Actions are only ever added, and undone: an undone
 * one is kept until it would have ended. So whatever of them a server learns, in whatever order, it
 * can merge; and what the shared table lacks, it puts back. An action that is missing there was
 * lost. (An undone one may have been removed to make room, and is not missed unless it comes back.)
 */
final class ActionBook {
  /**
   * An action with less time left is not put back: by the store's own clock it may have ended
   * already.
   */
  static final Duration MIN_PUT_BACK = Duration.ofSeconds(2);

  private final ActionLog log;
  private final Map<String, Known> known = new HashMap<>();

  /** What has ended here, and is still in the table: the clock of the store may be slower. */
  private final Set<String> ended = new HashSet<>();

  /**
   * An action, when it ends here, and since when it is known as it is.
   *
   * @param sinceNanos a page that was requested before cannot show that it was lost
   */
  private record Known(Action action, long untilNanos, long sinceNanos) {
    /** What is undone stays so; of two clocks, the earlier end counts. */
    Known merge(Known other) {
      boolean changes = action.isWanted() && !other.action.isWanted();
      boolean earlier = untilNanos - other.untilNanos <= 0;
      return new Known(
          changes ? other.action : action,
          earlier ? untilNanos : other.untilNanos,
          changes ? other.sinceNanos : sinceNanos);
    }
  }

  ActionBook(ActionLog log) {
    this.log = log;
  }

  /**
   * Learns the entries of the table, and returns those that it lacks.
   *
   * @param requestedNanos when they were requested
   * @param nowNanos when they arrived
   */
  List<Entry> merge(List<Entry> entries, long requestedNanos, long nowNanos) {
    Map<String, Action> listed = new HashMap<>();
    for (Entry entry : entries) {
      Optional<Action> action = ActionCodec.decode(entry.name(), entry.value());
      if (action.isEmpty()) {
        log.unreadable(entry.name());
      } else {
        listed.put(entry.name(), action.get());
        if (ended.contains(entry.name())) {
          continue;
        }
        add(new Known(action.get(), nowNanos + entry.lasting().toNanos(), nowNanos));
      }
    }
    ended.retainAll(listed.keySet());
    int room = FleetTable.MAX_ENTRIES - entries.size();
    List<Entry> missing = new ArrayList<>();
    for (Known one : known.values()) {
      Action there = listed.get(one.action.id());
      long left = one.untilNanos - nowNanos;
      boolean lost = there == null && one.action.isWanted() && left >= MIN_PUT_BACK.toNanos();
      boolean undoingLost = there != null && there.isWanted() && !one.action.isWanted();
      boolean knownBefore = one.sinceNanos - requestedNanos < 0;
      if (knownBefore && ((lost && room-- > 0) || (undoingLost && left > 0))) {
        missing.add(entry(one.action, Duration.ofNanos(left)));
      }
    }
    return missing;
  }

  /** The entry of an action in the table. */
  static Entry entry(Action action, Duration left) {
    long millis = Math.max(1, Math.min(left.toMillis(), FleetTable.MAX_LASTING.toMillis()));
    return new Entry(action.id(), ActionCodec.encode(action), Duration.ofMillis(millis));
  }

  private void add(Known read) {
    Known before = known.get(read.action.id());
    Known now = before == null ? read : before.merge(read);
    known.put(read.action.id(), now);
    if (before == null && now.action.isWanted()) {
      log.begins(now.action);
    } else if (before != null && before.action.isWanted() && !now.action.isWanted()) {
      log.undone(now.action);
    }
  }

  /** Drops the actions that have ended, and returns when the next one ends, if there is one. */
  OptionalLong dropEnded(long nowNanos) {
    Iterator<Known> all = known.values().iterator();
    long next = Long.MAX_VALUE;
    while (all.hasNext()) {
      Known one = all.next();
      long left = one.untilNanos - nowNanos;
      if (left <= 0) {
        all.remove();
        ended.add(one.action.id());
        if (one.action.isWanted()) {
          log.ended(one.action);
        }
      } else {
        next = Math.min(next, left);
      }
    }
    return known.isEmpty() ? OptionalLong.empty() : OptionalLong.of(nowNanos + next);
  }

  /** The actions that nobody has undone, the oldest first, with the time they end here. */
  List<ActiveAction> wanted() {
    return known.values().stream()
        .filter(one -> one.action.isWanted())
        .map(one -> new ActiveAction(one.action, one.untilNanos))
        .sorted((one, other) -> Action.compareByTime(one.action(), other.action()))
        .toList();
  }

  /** The ids of the actions that were undone and have not ended. */
  List<String> undone() {
    return known.values().stream()
        .map(Known::action)
        .filter(action -> !action.isWanted())
        .map(Action::id)
        .toList();
  }

  /** The entry of an action as it is undone; null if there is none that could be. */
  @Nullable Entry undo(String id, Action.Stamp by, long nowNanos) {
    Known one = known.get(id);
    if (one == null || !one.action.isWanted() || one.untilNanos - nowNanos <= 0) {
      return null;
    }
    return entry(one.action.undoneBy(by), Duration.ofNanos(one.untilNanos - nowNanos));
  }
}
