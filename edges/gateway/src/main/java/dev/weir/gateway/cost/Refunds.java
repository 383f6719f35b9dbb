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
 * <p><b>How.</b> A bucket drains from the grant on, and what has drained cannot be distinguished
 * from what others have got back since: nothing is given back. In a fixed window nothing is
 * forgotten until it ends, and everything afterwards. The other algorithms forget nothing of a
 * grant for a window, or until the next one.
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
      case TOKEN_BUCKET, LEAKY_BUCKET -> 0;
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
}
