package dev.weir.simulation.model;

import dev.weir.Algorithm;
import dev.weir.Limit;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Computes the usage of a limit by the plain arithmetic of its algorithm.
 *
 * <p>The simulation compares it with the counters of the limiter; it shares no code with them. It
 * adds every permit, whether or not there is room. If time runs back the model waits; but if time
 * runs back by more than a window, or by more than a bucket takes to refill, the model starts anew.
 * As with the counters themselves, only changes advance its time; reads change nothing.
 */
public final class CounterModel {
  private final Limit limit;

  /** Units per permit: buckets and sliding counters count fractions of a permit. */
  private final long unitsPerPermit;

  /** How far the counter may be ahead of the clock. */
  private final long aheadMicros;

  private final Deque<Entry> log = new ArrayDeque<>();
  private long micros = Long.MIN_VALUE;
  private long level;
  private long logged;
  private long window;
  private long count;
  private long countBefore;

  private record Entry(long micros, long permits) {}

  /**
   * Starts with nothing in use.
   *
   * @throws IllegalArgumentException if the limit is a concurrency limit
   */
  public CounterModel(Limit limit) {
    this.limit = limit;
    boolean fractional =
        switch (limit.algorithm()) {
          case TOKEN_BUCKET, LEAKY_BUCKET, SLIDING_COUNTER -> true;
          case FIXED_WINDOW, SLIDING_LOG -> false;
          case CONCURRENCY -> throw new IllegalArgumentException("not a rate: " + limit);
        };
    this.unitsPerPermit = fractional ? limit.windowMicros() : 1;
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
   * Whether the counter is as if never used at this time, because its last change was so much
   * later. The time of a fixed window is the start of the window.
   */
  boolean isAhead(long atMicros) {
    long last = limit.algorithm() == Algorithm.FIXED_WINDOW ? window : micros;
    return micros != Long.MIN_VALUE && last - quantized(atMicros) > aheadMicros;
  }

  /** Adds permits, whether or not there is room. */
  public void add(long atMicros, long permits) {
    moveTo(atMicros);
    switch (limit.algorithm()) {
      case TOKEN_BUCKET, LEAKY_BUCKET -> level += permits * unitsPerPermit;
      case SLIDING_LOG -> append(permits);
      default -> count += permits;
    }
  }

  /** A log has at most as many entries as permits; beyond that, permits join the newest entry. */
  private void append(long permits) {
    if (permits > 0) {
      boolean same = !log.isEmpty() && log.getLast().micros == micros;
      boolean joins = same || log.size() >= limit.permits();
      long before = joins ? log.removeLast().permits : 0;
      log.addLast(new Entry(micros, before + permits));
      logged += permits;
    }
  }

  /** Takes permits back, the newest first. */
  public void refund(long atMicros, long permits) {
    moveTo(atMicros);
    switch (limit.algorithm()) {
      case TOKEN_BUCKET, LEAKY_BUCKET -> level = Math.max(0, level - permits * unitsPerPermit);
      case SLIDING_LOG -> refundNewest(permits);
      default -> {
        long rest = Math.max(0, permits - count);
        count = Math.max(0, count - permits);
        countBefore = Math.max(0, countBefore - rest);
      }
    }
  }

  private void refundNewest(long permits) {
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

  /** Permits in use, rounded up to whole permits. */
  long used(long atMicros) {
    return ceil(usedUnits(effectiveMicros(atMicros)), unitsPerPermit);
  }

  /** Whole permits within the limit that are not in use. */
  long remaining(long atMicros) {
    return Math.max(0, limit.capacity() - used(atMicros));
  }

  /** Whether so many more permits are within the limit. */
  public boolean hasRoom(long atMicros, long permits) {
    return permits <= remaining(atMicros);
  }

  private long usedUnits(long now) {
    return switch (limit.algorithm()) {
      case TOKEN_BUCKET, LEAKY_BUCKET -> levelAt(now);
      case SLIDING_LOG -> loggedAt(now);
      default ->
          countAt(now) * unitsPerPermit
              + countBeforeAt(now) * (unitsPerPermit - (now - startOf(now)));
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

  private long effectiveMicros(long atMicros) {
    return isAhead(atMicros) ? quantized(atMicros) : Math.max(micros, quantized(atMicros));
  }

  private long quantized(long atMicros) {
    return atMicros - atMicros % limit.tickMicros();
  }

  private void moveTo(long atMicros) {
    long now = effectiveMicros(atMicros);
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
   * Converts the counter to another limit of the same algorithm. Where windows are as long as
   * before, the times of all permits stay known; a bucket is converted in whole permits.
   */
  CounterModel convertedTo(Limit other, long atMicros) {
    CounterModel next = new CounterModel(other);
    if (unitsPerPermit != 1 && !isAligned()) {
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
