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
 * <p><b>Windows.</b> In a fixed window nothing is forgotten until it ends, and everything
 * afterwards. The sliding algorithms forget nothing of a grant for a window, or until the next one.
 *
 * <p><b>Buckets.</b> A bucket forgets by draining. Compare it with one that is charged the true
 * costs at once: it holds more, by the excess of the open estimates, and loses some of that only
 * while the other is empty and does not drain. A request of true cost {@code A} keeps the other
 * from being empty until {@code A} has drained. So of the excess {@code C − A} of an estimate
 * {@code C}, at least {@code C − D} is left after {@code D} has drained, and the excesses of
 * several requests are left side by side, since a loss is subtracted from each of them. No more
 * than {@code C − D} is given back. An answer that takes longer than its estimate needs to drain
 * gets nothing back.
 *
 * <p><b>Forgiven debts.</b> A bucket forgives a debt beyond {@link Limit#MAX_DEBT_WINDOWS} windows,
 * and forgets the open estimates with it, which nobody can see later. So a bucket is below the true
 * costs by what it has forgiven, as without refunds, and by no more.
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
      case TOKEN_BUCKET, LEAKY_BUCKET -> notDrained(claim, micros);
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

  /** The permits of a claim that have not drained from its bucket for certain. */
  private static long notDrained(Claim claim, long micros) {
    Limit limit = claim.limit();
    long ticks = micros / limit.tickMicros() + 1; // it may have begun just before the next tick
    if (ticks >= limit.longestDrainTicks()) {
      return 0;
    }
    long units = claim.cost() * limit.unitsPerPermit() - ticks * limit.unitsPerTick();
    return limit.permitsIn(Math.max(0, units));
  }
}
