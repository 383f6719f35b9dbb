package dev.weir.gateway.adaptive;

import java.util.random.RandomGenerator;

/**
 * Follows the gradient of the latency: the limit shrinks in proportion to how much slower than half
 * as slow again the upstream has become, and grows by a small queue otherwise.
 *
 * <p>After the Gradient2 limit of Netflix's concurrency-limits: {@code g = clamp(1.5 · base / rtt,
 * 0.5, 1)}, {@code new = limit · g + 4}, {@code limit = 0.8 · limit + 0.2 · new}. Unlike there, the
 * base is measured without a queue, see {@link LatencyLimit}, and a drop counts as the steepest
 * gradient. Safe for use by any number of threads.
 */
public final class Gradient2 extends LatencyLimit {
  private static final double TOLERANCE = 1.5;
  private static final double MIN_GRADIENT = 0.5;
  private static final double SMOOTHING = 0.2;

  /**
   * A limit within bounds.
   *
   * @param random spreads the probes of several gateways; used under the lock of this limit
   */
  public Gradient2(LimitBounds bounds, RandomGenerator random) {
    super(bounds, random);
  }

  @Override
  double next(double limit, Round round, double baseNanos) {
    if (!round.dropped() && round.isIdle(limit)) {
      return limit;
    }
    double gradient =
        round.dropped()
            ? MIN_GRADIENT
            : Math.max(MIN_GRADIENT, Math.min(1, TOLERANCE * baseNanos / round.rttNanos()));
    double wanted = limit * gradient + QUEUE;
    return (1 - SMOOTHING) * limit + SMOOTHING * wanted;
  }
}
