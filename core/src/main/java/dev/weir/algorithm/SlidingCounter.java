package dev.weir.algorithm;

import dev.weir.Decision;
import dev.weir.Decision.Verdict;
import dev.weir.Limit;

/**
 * A number of permits in any window, approximately: the count of the current window, plus the share
 * of the previous window that a window ending now still covers.
 *
 * <p><b>How.</b> Windows are aligned to the epoch. {@code at} is the tick last written; the level
 * packs the count of its window (high half) and of the one before (low half). The weighted sum
 * {@code current·W + previous·(W − elapsed)} is compared with {@code limit·W}, so there is no
 * division and no rounding.
 *
 * <p><b>Guarantees.</b> At most {@code 2·limit − 1} in any window, reached by spending a whole
 * limit at the end of one window: do not use it to protect a login. A caller who never has more
 * than {@code limit − 1} in a window, evenly spaced, is never denied; at exactly the limit the
 * weighted previous window can deny one.
 */
public final class SlidingCounter {
  private static final long MAX_COUNT = Limit.MAX_COUNTER_PERMITS;

  private SlidingCounter() {}

  /** Takes {@code cost} permits if they fit; otherwise the state stays unchanged. */
  public static Step take(long level, long at, Limit limit, long nowMicros, long cost) {
    long now = Ticks.now(limit, nowMicros, at);
    long counts = advanced(level, at, now, limit);
    long taken = Math.min(cost, limit.permits());
    long weighted = weighted(counts, now, limit) + taken * limit.unitsPerPermit();
    boolean never = cost > limit.permits();
    boolean denied = never || weighted > limit.capacityUnits();
    long wait = 0;
    if (denied && !never) {
      wait = Ticks.until(limit, roomAt(counts, now, limit, cost), nowMicros);
    }
    Verdict verdict = never ? Verdict.NEVER : denied ? Verdict.DENIED : Verdict.ALLOWED;
    long countsNow = denied ? counts : pack(current(counts) + cost, previous(counts));
    Decision decision = decision(countsNow, now, limit, nowMicros, verdict, wait);
    return new Step(denied ? level : countsNow, denied ? at : now, Step.NO_LOG, decision);
  }

  /** Adds {@code cost} permits to the current window whether or not they fit. */
  public static Step charge(long level, long at, Limit limit, long nowMicros, long cost) {
    long now = Ticks.now(limit, nowMicros, at);
    long counts = advanced(level, at, now, limit);
    // A count weighs one window per permit, and the weighted sum must stay countable.
    long max = Math.min(MAX_COUNT, Limit.MAX_CAPACITY_UNITS / limit.windowTicks());
    long next = pack(Math.min(max, current(counts) + cost), previous(counts));
    return allowed(next, now, limit, nowMicros);
  }

  /** Returns {@code cost} permits, to the current window first, then to the previous one. */
  public static Step refund(long level, long at, Limit limit, long nowMicros, long cost) {
    long now = Ticks.now(limit, nowMicros, at);
    long counts = advanced(level, at, now, limit);
    long current = Math.max(0, current(counts) - cost);
    long rest = cost - (current(counts) - current);
    long next = pack(current, Math.max(0, previous(counts) - rest));
    return allowed(next, now, limit, nowMicros);
  }

  /** The weighted count, rounded up. */
  public static long used(long level, long at, Limit limit, long nowMicros) {
    long now = Ticks.now(limit, nowMicros, at);
    long counts = advanced(level, at, now, limit);
    return Ticks.ceilDiv(weighted(counts, now, limit), limit.unitsPerPermit());
  }

  /** When the last count has faded, in microseconds. */
  public static long fullAt(long level, long at, Limit limit) {
    long windows = current(level) > 0 ? 2 : previous(level) > 0 ? 1 : 0;
    long start = at - at % limit.windowTicks();
    return windows == 0 ? 0 : (start + windows * limit.windowTicks()) * limit.tickMicros();
  }

  private static Step allowed(long counts, long now, Limit limit, long nowMicros) {
    Decision decision = decision(counts, now, limit, nowMicros, Verdict.ALLOWED, 0);
    return new Step(counts, now, Step.NO_LOG, decision);
  }

  private static Decision decision(
      long counts, long now, Limit limit, long nowMicros, Verdict verdict, long waitMicros) {
    long left = limit.permitsIn(limit.capacityUnits() - weighted(counts, now, limit));
    long reset = Math.max(0, fullAt(counts, now, limit) - nowMicros);
    return Decision.of(verdict, left, waitMicros, reset);
  }

  /** The first tick at which {@code cost} fits, if no other caller spends permits. */
  private static long roomAt(long counts, long now, Limit limit, long cost) {
    long window = limit.windowTicks();
    long start = now - now % window;
    long spare = limit.permits() - cost - current(counts);
    if (spare >= 0) {
      // The previous window must fade until its share fits into the spare permits.
      return start + window - spare * window / previous(counts);
    }
    // The current window must end, and then fade as the previous one.
    return start + 2 * window - (limit.permits() - cost) * window / current(counts);
  }

  private static long advanced(long level, long at, long now, Limit limit) {
    long windows = now / limit.windowTicks() - at / limit.windowTicks();
    return windows == 0 ? level : windows == 1 ? pack(0, current(level)) : 0;
  }

  private static long weighted(long counts, long now, Limit limit) {
    long window = limit.windowTicks();
    return current(counts) * window + previous(counts) * (window - now % window);
  }

  private static long pack(long current, long previous) {
    return current << 32 | previous;
  }

  private static long current(long counts) {
    return counts >>> 32;
  }

  private static long previous(long counts) {
    return counts & 0xffff_ffffL;
  }
}
