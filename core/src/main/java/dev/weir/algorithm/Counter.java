package dev.weir.algorithm;

import dev.weir.Algorithm;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Limit;

/** Dispatches each operation to the algorithm of the limit. */
public final class Counter {
  private Counter() {}

  /** Takes the claim if there is room; otherwise the state stays unchanged. */
  public static Step take(long level, long at, long[] log, Claim claim, long nowMicros) {
    return take(level, at, log, claim.limit(), nowMicros, claim.cost(), claim.holder());
  }

  /** The current decision of the counter, as for a claim that costs nothing. */
  public static Decision peek(long level, long at, long[] log, Limit limit, long nowMicros) {
    return take(level, at, log, limit, nowMicros, 0, 0).decision();
  }

  /** {@link #take(long, long, long[], Claim, long)} with the claim in parts. */
  public static Step take(
      long level, long at, long[] log, Limit limit, long nowMicros, long cost, long holder) {
    return switch (limit.algorithm()) {
      case TOKEN_BUCKET, LEAKY_BUCKET -> Bucket.take(level, at, limit, nowMicros, cost);
      case FIXED_WINDOW -> FixedWindow.take(level, at, limit, nowMicros, cost);
      case SLIDING_COUNTER -> SlidingCounter.take(level, at, limit, nowMicros, cost);
      case SLIDING_LOG -> SlidingLog.take(at, log, limit, nowMicros, cost);
      case CONCURRENCY -> Concurrency.take(at, log, limit, nowMicros, cost, holder);
    };
  }

  /** Charges the claim whether or not there is room. */
  public static Step charge(long level, long at, long[] log, Claim claim, long nowMicros) {
    Limit limit = claim.limit();
    long cost = claim.cost();
    return switch (limit.algorithm()) {
      case TOKEN_BUCKET, LEAKY_BUCKET -> Bucket.charge(level, at, limit, nowMicros, cost);
      case FIXED_WINDOW -> FixedWindow.charge(level, at, limit, nowMicros, cost);
      case SLIDING_COUNTER -> SlidingCounter.charge(level, at, limit, nowMicros, cost);
      case SLIDING_LOG -> SlidingLog.charge(at, log, limit, nowMicros, cost);
      case CONCURRENCY -> Concurrency.charge(at, log, limit, nowMicros);
    };
  }

  /** Returns what the claim took. */
  public static Step refund(long level, long at, long[] log, Claim claim, long nowMicros) {
    Limit limit = claim.limit();
    long cost = claim.cost();
    return switch (limit.algorithm()) {
      case TOKEN_BUCKET, LEAKY_BUCKET -> Bucket.refund(level, at, limit, nowMicros, cost);
      case FIXED_WINDOW -> FixedWindow.refund(level, at, limit, nowMicros, cost);
      case SLIDING_COUNTER -> SlidingCounter.refund(level, at, limit, nowMicros, cost);
      case SLIDING_LOG -> SlidingLog.refund(at, log, limit, nowMicros, cost);
      case CONCURRENCY -> Concurrency.refund(at, log, limit, nowMicros, claim.holder());
    };
  }

  /** When the counter will be as if never used, in microseconds, if it is not used before. */
  public static long fullAt(long level, long at, long[] log, Limit limit) {
    return switch (limit.algorithm()) {
      case TOKEN_BUCKET, LEAKY_BUCKET -> Bucket.fullAt(level, at, limit);
      case FIXED_WINDOW -> FixedWindow.fullAt(level, at, limit);
      case SLIDING_COUNTER -> SlidingCounter.fullAt(level, at, limit);
      case SLIDING_LOG -> SlidingLog.fullAt(log, limit);
      case CONCURRENCY -> Concurrency.fullAt(log);
    };
  }

  /** Whether the counter is as if never used: it has expired, or is too far ahead to count. */
  public static boolean isUnused(long level, long at, long[] log, Limit limit, long nowMicros) {
    return fullAt(level, at, log, limit) <= nowMicros || limit.isAhead(at, nowMicros);
  }

  /** Permits in use, rounded up. */
  public static long used(long level, long at, long[] log, Limit limit, long nowMicros) {
    return switch (limit.algorithm()) {
      case TOKEN_BUCKET, LEAKY_BUCKET -> Bucket.used(level, at, limit, nowMicros);
      case FIXED_WINDOW -> FixedWindow.used(level, at, limit, nowMicros);
      case SLIDING_COUNTER -> SlidingCounter.used(level, at, limit, nowMicros);
      case SLIDING_LOG -> SlidingLog.used(at, log, limit, nowMicros);
      case CONCURRENCY -> Concurrency.used(at, log, limit, nowMicros);
    };
  }

  /**
   * The state of a counter after its limit has changed.
   *
   * <p>What was spent stays spent: the permits in use, in whole permits rounded up, are charged to
   * the new limit now, but never more than its capacity. Where the old state means the same under
   * the new numbers it is kept unchanged, times included: the grants of a log, the holders of a
   * concurrency limit, the counts of windows of the same length. Held permits are no charge on a
   * rate, nor the other way round: between a concurrency limit and any other, counting starts anew.
   */
  public static Step migrate(
      long level, long at, long[] log, Limit from, Limit to, long nowMicros) {
    if (from.algorithm() == to.algorithm() && isSameState(from, to)) {
      return new Step(level, at, log, peek(level, at, log, to, nowMicros));
    }
    boolean anew =
        from.algorithm() == Algorithm.CONCURRENCY || to.algorithm() == Algorithm.CONCURRENCY;
    long used = anew ? 0 : used(level, at, log, from, nowMicros);
    return take(0, 0, Step.NO_LOG, to, nowMicros, Math.min(used, to.capacity()), 0);
  }

  private static boolean isSameState(Limit from, Limit to) {
    return switch (to.algorithm()) {
      case SLIDING_LOG, CONCURRENCY -> true;
      case FIXED_WINDOW, SLIDING_COUNTER ->
          from.windowTicks() == to.windowTicks()
              && from.tickMicros() == to.tickMicros()
              && from.calendar().equals(to.calendar());
      case TOKEN_BUCKET, LEAKY_BUCKET -> false;
    };
  }
}
