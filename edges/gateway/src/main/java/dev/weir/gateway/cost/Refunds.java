package dev.weir.gateway.cost;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Limit;
import java.time.Duration;

/**
 * How much of a grant may be given back after a while.
 *
 * <p><b>Why not all of it.</b> A counter forgets: a window ends, a bucket drains. What the counter
 * has forgotten of a grant is no longer in it, and a refund of that would give back what other
 * requests have spent since. Then the counter would be below what was truly used.
 *
 * <p><b>How.</b> Since a grant of {@code C}, a bucket has drained at most {@code D}. What was there
 * before drains first; but that may have been given back meanwhile, so only {@code C − D} is still
 * there for certain, and no more is given back. In a fixed window nothing is forgotten until it
 * ends, and everything afterwards. The other algorithms forget nothing of a grant for a window, or
 * until the next one.
 */
final class Refunds {
  /** How long a refund may take to reach its counter. */
  static final long MARGIN_MICROS = 100_000;

  private static final Duration MICRO = Duration.ofNanos(1_000);

  private Refunds() {}

  /**
   * The maximum that may be refunded, at most the cost of the claim.
   *
   * @param granted the decision on the claim
   * @param elapsedMicros since the claim was sent, or longer
   */
  static long max(Claim claim, Decision granted, long elapsedMicros) {
    Limit limit = claim.limit();
    long micros = elapsedMicros + MARGIN_MICROS;
    long cost = claim.cost();
    return switch (limit.algorithm()) {
      case TOKEN_BUCKET, LEAKY_BUCKET -> Math.min(cost, left(claim, elapsedMicros));
      case FIXED_WINDOW -> micros < resetMicros(granted) ? cost : 0;
      // The counter resets when the window after the present one ends.
      case SLIDING_COUNTER -> micros < resetMicros(granted) - limit.windowMicros() ? cost : 0;
      case SLIDING_LOG -> micros < limit.windowMicros() ? cost : 0;
      case CONCURRENCY -> 0;
    };
  }

  private static long resetMicros(Decision granted) {
    return granted.resetAfter().dividedBy(MICRO);
  }

  /** The permits of a grant that are still in a bucket for certain. */
  private static long left(Claim claim, long elapsedMicros) {
    Limit limit = claim.limit();
    long ticks = elapsedMicros / limit.tickMicros() + 1;
    if (ticks >= limit.longestDrainTicks()) {
      return 0;
    }
    long drained = ticks * limit.unitsPerTick();
    return limit.permitsIn(Math.max(0, claim.cost() * limit.unitsPerPermit() - drained));
  }
}
