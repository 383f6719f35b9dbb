package dev.weir.algorithm;

import static dev.weir.Limit.MAX_LEVEL_UNITS;

import dev.weir.Decision;
import dev.weir.Decision.Verdict;
import dev.weir.Limit;
import java.util.Arrays;

/**
 * A number of permits in any window, exactly: every grant is remembered until it is a window old.
 *
 * <p>The log is pairs of time and permits, oldest first, times rising; grants of the same
 * microsecond share a pair. {@code at} is the latest time seen. A log is replaced, never modified:
 * a copy costs little, because only grants make one and the limit bounds the grants.
 *
 * <p><b>Guarantees.</b> Never more than the limit in any half-open window. At most as many pairs as
 * permits: once charges have filled the log, later ones are added to the newest pair.
 */
public final class SlidingLog {
  private SlidingLog() {}

  /** Takes {@code cost} permits if they fit; otherwise the state stays unchanged. */
  public static Step take(long at, long[] log, Limit limit, long nowMicros, long cost) {
    long now = Ticks.now(limit, nowMicros, at);
    int first = first(log, at, now, limit);
    long count = count(log, first);
    if (cost > limit.permits()) {
      return step(at, log, count, limit, nowMicros, Verdict.NEVER, 0);
    }
    if (count > limit.permits() - cost) {
      long wait = roomAt(log, first, count, limit, cost) - nowMicros;
      return step(at, log, count, limit, nowMicros, Verdict.DENIED, wait);
    }
    long[] next = appended(log, first, now, cost, limit);
    return step(now, next, count + cost, limit, nowMicros, Verdict.ALLOWED, 0);
  }

  /** Adds {@code cost} permits to the log whether or not they fit. */
  public static Step charge(long at, long[] log, Limit limit, long nowMicros, long cost) {
    long now = Ticks.now(limit, nowMicros, at);
    int first = first(log, at, now, limit);
    long count = count(log, first);
    long charged = Math.min(cost, MAX_LEVEL_UNITS - count);
    long[] next = appended(log, first, now, charged, limit);
    return step(now, next, count + charged, limit, nowMicros, Verdict.ALLOWED, 0);
  }

  /** Returns {@code cost} permits, of the newest grants first. */
  public static Step refund(long at, long[] log, Limit limit, long nowMicros, long cost) {
    long now = Ticks.now(limit, nowMicros, at);
    int first = first(log, at, now, limit);
    long[] next = Arrays.copyOfRange(log, first, log.length);
    int length = next.length;
    long rest = cost;
    while (length > 0 && rest >= next[length - 1]) {
      rest -= next[length - 1];
      length -= 2;
    }
    if (length > 0) {
      next[length - 1] -= rest;
    }
    long[] left = length == next.length ? next : Arrays.copyOf(next, length);
    return step(now, left, count(left, 0), limit, nowMicros, Verdict.ALLOWED, 0);
  }

  /** Permits taken in the window that ends now. */
  public static long used(long at, long[] log, Limit limit, long nowMicros) {
    return count(log, first(log, at, Ticks.now(limit, nowMicros, at), limit));
  }

  /** When the newest grant has aged out, in microseconds. */
  public static long fullAt(long[] log, Limit limit) {
    return log.length == 0 ? 0 : log[log.length - 2] + limit.windowMicros();
  }

  private static Step step(
      long nextAt,
      long[] log,
      long count,
      Limit limit,
      long nowMicros,
      Verdict verdict,
      long waitMicros) {
    long reset = count == 0 ? 0 : fullAt(log, limit) - nowMicros;
    Decision decision = Decision.of(verdict, limit.permits() - count, waitMicros, reset);
    return new Step(0, nextAt, log, decision);
  }

  /** Index of the oldest pair in the window that ends now; the log's length if there is none. */
  private static int first(long[] log, long at, long now, Limit limit) {
    int first = now < at ? log.length : 0;
    while (first < log.length && log[first] + limit.windowMicros() <= now) {
      first += 2;
    }
    return first;
  }

  private static long count(long[] log, int first) {
    long count = 0;
    for (int i = first; i < log.length; i += 2) {
      count += log[i + 1];
    }
    return count;
  }

  /** The moment when enough of the oldest grants have left for {@code cost} to fit. */
  private static long roomAt(long[] log, int first, long count, Limit limit, long cost) {
    long left = count;
    int i = first;
    while (left > limit.permits() - cost) {
      left -= log[i + 1];
      i += 2;
    }
    return log[i - 2] + limit.windowMicros();
  }

  private static long[] appended(long[] log, int first, long now, long cost, Limit limit) {
    if (cost == 0) {
      return first == 0 ? log : Arrays.copyOfRange(log, first, log.length);
    }
    int kept = log.length - first;
    boolean join = kept > 0 && (log[log.length - 2] == now || kept >= 2 * limit.permits());
    long[] next = Arrays.copyOfRange(log, first, log.length + (join ? 0 : 2));
    next[next.length - 2] = now;
    next[next.length - 1] += cost;
    return next;
  }
}
