package dev.weir.testkit.model;

import dev.weir.Algorithm;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Limit;

/** One counter of the model: an immutable value; each operation returns the next value. */
interface ModelCounter {

  /** A counter after an operation, and the decision for the caller. */
  record Outcome(ModelCounter next, Decision decision) {}

  /** Takes the claim if there is room; otherwise the counter stays unchanged. */
  Outcome take(Claim claim, long nowMicros);

  /** Charges the claim whether or not there is room. */
  Outcome charge(Claim claim, long nowMicros);

  /** Returns what the claim took. */
  Outcome refund(Claim claim, long nowMicros);

  /** The remaining permits and the reset time, with nothing taken. */
  Decision status(Limit limit, long nowMicros);

  /** Permits in use, rounded up. */
  long used(Limit limit, long nowMicros);

  /** Whether the state of this counter means the same when {@code from} becomes {@code to}. */
  boolean keepsState(Limit from, Limit to);

  static ModelCounter unused(Limit limit) {
    return switch (limit.algorithm()) {
      case TOKEN_BUCKET, LEAKY_BUCKET -> ModelBucket.unused(limit);
      case FIXED_WINDOW -> ModelFixedWindow.UNUSED;
      case SLIDING_LOG -> ModelSlidingLog.UNUSED;
      case SLIDING_COUNTER -> ModelSlidingCounter.UNUSED;
      case CONCURRENCY -> ModelHolders.UNUSED;
    };
  }

  /**
   * Whether a counter was written so long after {@code nowMicros} that the clock must have been set
   * back too far to wait for it: by more than a window, and than the time in which a bucket
   * refills. Such a counter counts as never used.
   */
  static boolean isAhead(Limit limit, long lastMicros, long nowMicros) {
    long longest = limit.windowMicros();
    if (limit.algorithm() == Algorithm.TOKEN_BUCKET
        || limit.algorithm() == Algorithm.LEAKY_BUCKET) {
      Rational flows = Rational.of(limit.windowMicros(), limit.permits());
      Rational refill = flows.times(Rational.of(limit.capacity()));
      longest = Math.max(longest, roundedUp(limit, refill));
    }
    return lastMicros - quantised(limit, nowMicros) > longest;
  }

  /** The start of the tick that contains {@code nowMicros}. */
  static long quantised(Limit limit, long nowMicros) {
    return nowMicros - nowMicros % limit.tickMicros();
  }

  /** The first tick at or after {@code micros}, in microseconds. */
  static long roundedUp(Limit limit, Rational micros) {
    return micros.times(Rational.of(1, limit.tickMicros())).ceil() * limit.tickMicros();
  }
}
