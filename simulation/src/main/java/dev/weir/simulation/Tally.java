package dev.weir.simulation;

import dev.weir.Algorithm;
import dev.weir.Limit;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * What of a limit is in use, by the plain arithmetic of its algorithm.
 *
 * <p>It is here to be compared with the counters of the limiter, and shares nothing with them. It
 * lets everything in, whether or not there is room. If time runs back it waits; but if by more than
 * a window, or than a bucket takes to fill up again, it begins anew. Only what changes it moves it
 * in time, as with the counters themselves: to look changes nothing.
 */
final class Tally {
  private final Limit limit;

  /** So many parts has a permit: of what flows or fades, parts can be counted. */
  private final long parts;

  /** So far it may be ahead of the clock. */
  private final long aheadMicros;

  private final Deque<Entry> log = new ArrayDeque<>();
  private long micros = Long.MIN_VALUE;
  private long level;
  private long logged;
  private long window;
  private long count;
  private long countBefore;

  private record Entry(long micros, long permits) {}

  Tally(Limit limit) {
    this.limit = limit;
    boolean flows =
        switch (limit.algorithm()) {
          case TOKEN_BUCKET, LEAKY_BUCKET, SLIDING_COUNTER -> true;
          case FIXED_WINDOW, SLIDING_LOG -> false;
          case CONCURRENCY -> throw new IllegalArgumentException("not a rate: " + limit);
        };
    this.parts = flows ? limit.windowMicros() : 1;
    this.aheadMicros = Math.max(limit.windowMicros(), refillMicros(limit));
  }

  private static long refillMicros(Limit limit) {
    long tick = limit.tickMicros();
    return switch (limit.algorithm()) {
      case TOKEN_BUCKET, LEAKY_BUCKET ->
          ceil(ceil(limit.capacity() * limit.windowMicros(), limit.permits()), tick) * tick;
      default -> 0;
    };
  }

  private static long ceil(long dividend, long divisor) {
    return (dividend + divisor - 1) / divisor;
  }

  /**
   * Whether at this time it is as if never used, because it was last changed so much later; a fixed
   * window is as late as it begins.
   */
  boolean isAhead(long atMicros) {
    long last = limit.algorithm() == Algorithm.FIXED_WINDOW ? window : micros;
    return micros != Long.MIN_VALUE && last - quantised(atMicros) > aheadMicros;
  }

  void add(long atMicros, long permits) {
    moveTo(atMicros);
    switch (limit.algorithm()) {
      case TOKEN_BUCKET, LEAKY_BUCKET -> level += permits * parts;
      case SLIDING_LOG -> append(permits);
      default -> count += permits;
    }
  }

  /** A log has at most as many entries as permits: what comes then joins the newest. */
  private void append(long permits) {
    if (permits > 0) {
      boolean same = !log.isEmpty() && log.getLast().micros == micros;
      boolean joins = same || log.size() >= limit.permits();
      long before = joins ? log.removeLast().permits : 0;
      log.addLast(new Entry(micros, before + permits));
      logged += permits;
    }
  }

  /** The newest first. */
  void takeBack(long atMicros, long permits) {
    moveTo(atMicros);
    switch (limit.algorithm()) {
      case TOKEN_BUCKET, LEAKY_BUCKET -> level = Math.max(0, level - permits * parts);
      case SLIDING_LOG -> takeNewest(permits);
      default -> {
        long rest = Math.max(0, permits - count);
        count = Math.max(0, count - permits);
        countBefore = Math.max(0, countBefore - rest);
      }
    }
  }

  private void takeNewest(long permits) {
    long rest = permits;
    while (rest > 0 && !log.isEmpty()) {
      Entry newest = log.removeLast();
      if (newest.permits > rest) {
        log.addLast(new Entry(newest.micros, newest.permits - rest));
      }
      logged -= Math.min(rest, newest.permits);
      rest -= newest.permits;
    }
  }

  /** In whole permits, rounded up. */
  long used(long atMicros) {
    return ceil(inUse(laterThan(atMicros)), parts);
  }

  /** Whole permits within the limit that are not in use. */
  long room(long atMicros) {
    return Math.max(0, limit.capacity() - used(atMicros));
  }

  /** Whether so much more is within the limit. */
  boolean hasRoom(long atMicros, long permits) {
    return permits <= room(atMicros);
  }

  private long inUse(long now) {
    return switch (limit.algorithm()) {
      case TOKEN_BUCKET, LEAKY_BUCKET -> levelAt(now);
      case SLIDING_LOG -> loggedAt(now);
      default -> countAt(now) * parts + countBeforeAt(now) * (parts - (now - startOf(now)));
    };
  }

  private long levelAt(long now) {
    long passed = micros == Long.MIN_VALUE ? 0 : now - micros;
    return passed < 0 ? 0 : Math.max(0, level - passed * limit.permits());
  }

  private long loggedAt(long now) {
    long left = now < micros ? 0 : logged;
    for (Entry oldest : log) {
      if (now < micros || oldest.micros + limit.windowMicros() > now) {
        break;
      }
      left -= oldest.permits;
    }
    return left;
  }

  private long countAt(long now) {
    return startOf(now) == window ? count : 0;
  }

  private long countBeforeAt(long now) {
    long start = startOf(now);
    boolean next = isAligned() && start - window == limit.windowMicros();
    return start == window ? countBefore : next ? count : 0;
  }

  private long startOf(long now) {
    return isAligned() ? now - now % limit.windowMicros() : limit.windowStartMicros(now);
  }

  private boolean isAligned() {
    return limit.algorithm() == Algorithm.SLIDING_COUNTER;
  }

  private long laterThan(long atMicros) {
    return isAhead(atMicros) ? quantised(atMicros) : Math.max(micros, quantised(atMicros));
  }

  private long quantised(long atMicros) {
    return atMicros - atMicros % limit.tickMicros();
  }

  private void moveTo(long atMicros) {
    long now = laterThan(atMicros);
    level = levelAt(now);
    logged = loggedAt(now);
    log.removeIf(entry -> now < micros || entry.micros + limit.windowMicros() <= now);
    long countNow = countAt(now);
    countBefore = countBeforeAt(now);
    count = countNow;
    window = startOf(now);
    micros = now;
  }

  /**
   * The same under another limit of the same algorithm, from now on. What was counted when stays
   * known, where windows are as long as before; what flows goes over in whole permits.
   */
  Tally under(Limit other, long atMicros) {
    Tally next = new Tally(other);
    if (parts != 1 && !isAligned()) {
      next.add(atMicros, Math.min(other.capacity(), used(atMicros)));
      return next;
    }
    next.log.addAll(log);
    next.logged = logged;
    next.micros = micros;
    next.window = window;
    next.count = count;
    next.countBefore = countBefore;
    return next;
  }
}
