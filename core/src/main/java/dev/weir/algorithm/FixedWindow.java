package dev.weir.algorithm;

import static dev.weir.Limit.MAX_LEVEL_UNITS;

import dev.weir.Decision;
import dev.weir.Decision.Verdict;
import dev.weir.Limit;

/**
 * A number of permits in each window; windows are aligned to the Unix epoch, or to the calendar.
 *
 * <p>The level is the count of the window that starts at {@code at}. A window that has ended takes
 * its count, and any debt, with it. If time steps back before the window, the window stays, unless
 * it is more than a window ahead.
 *
 * <p><b>Guarantees.</b> Exactly the limit inside a window; up to twice the limit across a boundary.
 */
public final class FixedWindow {
  private FixedWindow() {}

  /** Takes {@code cost} permits if they fit; otherwise the state stays unchanged. */
  public static Step take(long level, long at, Limit limit, long nowMicros, long cost) {
    long start = start(at, limit, nowMicros);
    long count = start == at ? level : 0;
    boolean never = cost > limit.permits();
    boolean denied = never || count > limit.permits() - cost;
    Verdict verdict = never ? Verdict.NEVER : denied ? Verdict.DENIED : Verdict.ALLOWED;
    long countNow = denied ? count : count + cost;
    return step(
        denied ? level : countNow, denied ? at : start, countNow, start, limit, nowMicros, verdict);
  }

  /** Adds {@code cost} permits to the count whether or not they fit. */
  public static Step charge(long level, long at, Limit limit, long nowMicros, long cost) {
    long start = start(at, limit, nowMicros);
    long count = start == at ? level : 0;
    long charged = Math.min(MAX_LEVEL_UNITS, count + cost);
    return step(charged, start, charged, start, limit, nowMicros, Verdict.ALLOWED);
  }

  /** Returns {@code cost} permits to the current window. */
  public static Step refund(long level, long at, Limit limit, long nowMicros, long cost) {
    long start = start(at, limit, nowMicros);
    long count = start == at ? level : 0;
    long left = Math.max(0, count - cost);
    return step(left, start, left, start, limit, nowMicros, Verdict.ALLOWED);
  }

  /** Permits taken in the window of {@code nowMicros}. */
  public static long used(long level, long at, Limit limit, long nowMicros) {
    return start(at, limit, nowMicros) == at ? level : 0;
  }

  /** When the window ends, in microseconds; 0 if its count is 0. */
  public static long fullAt(long level, long at, Limit limit) {
    return level == 0 ? 0 : limit.windowEndMicros(at);
  }

  private static Step step(
      long nextLevel,
      long nextAt,
      long count,
      long start,
      Limit limit,
      long nowMicros,
      Verdict verdict) {
    long toEnd = limit.windowEndMicros(start) - nowMicros;
    long wait = verdict == Verdict.DENIED ? toEnd : 0;
    Decision decision = Decision.of(verdict, limit.permits() - count, wait, count == 0 ? 0 : toEnd);
    return new Step(nextLevel, nextAt, Step.NO_LOG, decision);
  }

  private static long start(long at, Limit limit, long nowMicros) {
    return limit.windowStartMicros(Ticks.now(limit, nowMicros, at));
  }
}
