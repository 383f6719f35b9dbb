package dev.weir.testkit;

import dev.weir.Algorithm;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Limit;

/** One counter of the model: a value, whose every step gives the next one. */
interface ModelCounter {

  /** A counter after a step, and what the caller is told. */
  record Outcome(ModelCounter next, Decision decision) {}

  /** Takes the claim if there is room; if not, the counter stays as it was. */
  Outcome take(Claim claim, long nowMicros);

  /** Charges the claim whether or not there is room. */
  Outcome charge(Claim claim, long nowMicros);

  /** Gives back what the claim took. */
  Outcome refund(Claim claim, long nowMicros);

  /** What is left, and when all of it will be, with nothing taken. */
  Decision standing(Limit limit, long nowMicros);

  /** Permits in use, rounded up. */
  long used(Limit limit, long nowMicros);

  /** Whether what this counter remembers means the same when {@code from} becomes {@code to}. */
  boolean survives(Limit from, Limit to);

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
   * back, and nobody can be asked to wait for it: more than a window, or than a bucket takes to
   * fill up again. Such a counter is as if never used.
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

  /** The start of the tick that {@code nowMicros} is in. */
  static long quantised(Limit limit, long nowMicros) {
    return nowMicros - nowMicros % limit.tickMicros();
  }

  /** The first tick at or after {@code micros}, in microseconds. */
  static long roundedUp(Limit limit, Rational micros) {
    return micros.times(Rational.of(1, limit.tickMicros())).ceil() * limit.tickMicros();
  }
}
