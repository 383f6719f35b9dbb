package dev.weir.gateway.adaptive;

import java.util.random.RandomGenerator;

/**
 * Keeps the estimated queue of the upstream short, as in TCP Vegas.
 *
 * <p>After the Vegas limit of Netflix's concurrency-limits: the queue is {@code limit · (1 − base /
 * rtt)}. With {@code l = log10(limit)}, at least 1, the limit grows by {@code 6 l} while the queue
 * is at most {@code l}, by {@code l} while it is less than {@code 3 l}, and shrinks by {@code l}
 * above {@code 6 l} or after a drop. The base is measured without a queue, see {@link
 * LatencyLimit}. Safe for use by any number of threads.
 */
public final class Vegas extends LatencyLimit {
  private static final int GROW = 3;
  private static final int SHRINK = 6;

  /**
   * A limit within bounds.
   *
   * @param random spreads the probes of several gateways; used under the lock of this limit
   */
  public Vegas(LimitBounds bounds, RandomGenerator random) {
    super(bounds, random);
  }

  @Override
  double next(double limit, Round round, double baseNanos) {
    double step = Math.max(1, Math.log10(limit));
    if (round.dropped()) {
      return limit - step;
    }
    if (round.isIdle(limit)) {
      return limit;
    }
    double queue = Math.ceil(limit * (1 - baseNanos / round.rttNanos()));
    if (queue <= step) {
      return limit + SHRINK * step;
    }
    if (queue < GROW * step) {
      return limit + step;
    }
    return queue > SHRINK * step ? limit - step : limit;
  }
}
