package dev.weir.algorithm;

import dev.weir.Algorithm;
import dev.weir.Decision;
import dev.weir.Decision.Verdict;
import dev.weir.Limit;

/**
 * The token bucket and the leaky bucket, which share one algorithm.
 *
 * <p><b>How.</b> The level is what has been taken and has not yet drained. It drains by {@code
 * unitsPerTick} each tick down to zero. A request may pass if the level plus its cost stays within
 * the capacity. This is the generic cell rate algorithm with the fraction kept as an integer: the
 * unit is chosen per limit so that both the cost of a permit and the drain of a tick are whole
 * numbers. Floating point gets one decision in thirty wrong at the boundary; this gets none wrong.
 *
 * <p>In a token bucket a request that fits passes at once. In a leaky bucket it passes when all
 * earlier requests have drained, and all but the last permit of the request itself, so that permits
 * leave evenly spaced.
 *
 * <p><b>Guarantees.</b> In any interval of t ticks at most {@code capacity + t·unitsPerTick} units
 * are granted. A denial leaves the state untouched. A bucket at level zero needs no memory. Charges
 * saturate at {@link Limit#maxLevelUnits()}.
 */
public final class Bucket {
  private Bucket() {}

  /** Takes {@code cost} permits if they fit; otherwise the state stays unchanged. */
  public static Step take(long level, long at, Limit limit, long nowMicros, long cost) {
    long now = Ticks.now(limit, nowMicros, at);
    long drained = drained(level, now - at, limit);
    long filled = drained + Math.min(cost, limit.capacity()) * limit.unitsPerPermit();
    long excess = filled - limit.capacityUnits();
    // A single return, so that escape analysis can replace the step by its fields.
    Verdict verdict = Verdict.ALLOWED;
    long wait = 0;
    long nextLevel = filled;
    long nextAt = now;
    if (cost > limit.capacity() || excess > 0) {
      verdict = cost > limit.capacity() ? Verdict.NEVER : Verdict.DENIED;
      wait = cost > limit.capacity() ? 0 : untilDrained(excess, now, limit, nowMicros);
      nextLevel = level;
      nextAt = at;
    } else if (limit.algorithm() == Algorithm.LEAKY_BUCKET && cost > 0) {
      long ahead = filled - limit.unitsPerPermit();
      wait = ahead == 0 ? 0 : untilDrained(ahead, now, limit, nowMicros);
    }
    long levelNow = verdict == Verdict.ALLOWED ? filled : drained;
    return step(nextLevel, nextAt, levelNow, limit, nowMicros, verdict, wait);
  }

  /** Adds {@code cost} permits to the level whether or not they fit. */
  public static Step charge(long level, long at, Limit limit, long nowMicros, long cost) {
    long now = Ticks.now(limit, nowMicros, at);
    long drained = drained(level, now - at, limit);
    long room = (limit.maxLevelUnits() - drained) / limit.unitsPerPermit();
    long filled = cost > room ? limit.maxLevelUnits() : drained + cost * limit.unitsPerPermit();
    return step(filled, now, filled, limit, nowMicros, Verdict.ALLOWED, 0);
  }

  /** Returns {@code cost} permits. */
  public static Step refund(long level, long at, Limit limit, long nowMicros, long cost) {
    long now = Ticks.now(limit, nowMicros, at);
    long drained = drained(level, now - at, limit);
    boolean all = cost > limit.permitsIn(drained);
    long left = all ? 0 : drained - cost * limit.unitsPerPermit();
    return step(left, now, left, limit, nowMicros, Verdict.ALLOWED, 0);
  }

  /** Permits that have not drained yet, rounded up. */
  public static long used(long level, long at, Limit limit, long nowMicros) {
    long now = Ticks.now(limit, nowMicros, at);
    return Ticks.ceilDiv(drained(level, now - at, limit), limit.unitsPerPermit());
  }

  /** When the bucket will have drained, in microseconds. */
  public static long fullAt(long level, long at, Limit limit) {
    return (at + limit.drainTicks(level)) * limit.tickMicros();
  }

  private static Step step(
      long nextLevel,
      long nextAt,
      long levelNow,
      Limit limit,
      long nowMicros,
      Verdict verdict,
      long waitMicros) {
    long left = limit.permitsIn(limit.capacityUnits() - levelNow);
    long reset = levelNow == 0 ? 0 : fullAt(nextLevel, nextAt, limit) - nowMicros;
    Decision decision = Decision.of(verdict, left, waitMicros, reset);
    return new Step(nextLevel, nextAt, Step.NO_LOG, decision);
  }

  private static long untilDrained(long units, long now, Limit limit, long nowMicros) {
    return Ticks.until(limit, now + limit.drainTicks(units), nowMicros);
  }

  private static long drained(long level, long ticks, Limit limit) {
    // Compare before multiplying: after a jump of years the product would overflow. The time is
    // negative for a bucket that is too far ahead of the clock and therefore counts as never used.
    return ticks >= limit.longestDrainTicks() || ticks < 0
        ? 0
        : Math.max(0, level - ticks * limit.unitsPerTick());
  }
}
