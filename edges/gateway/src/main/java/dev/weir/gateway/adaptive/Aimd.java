package dev.weir.gateway.adaptive;

import java.time.Duration;

/**
 * Additive increase, multiplicative decrease, as in TCP: one more after a round without a drop, a
 * tenth less after one with a drop, or slower on average than the timeout.
 *
 * <p>It finds the limit at which the upstream begins to fail, so it suits one that refuses what it
 * cannot serve; one that queues without bound gets slow first. Safe for use by any number of
 * threads.
 */
public final class Aimd extends RoundLimit {
  /** The default of the timeout. */
  public static final Duration TIMEOUT = Duration.ofSeconds(5);

  private static final double DECREASE = 0.9;

  private final double timeoutNanos;

  /** A limit that treats latencies above {@code timeout} like drops. */
  public Aimd(LimitBounds bounds, Duration timeout) {
    super(bounds);
    this.timeoutNanos = timeout.toNanos();
  }

  @Override
  double next(double limit, Round round) {
    if (round.dropped() || round.rttNanos() > timeoutNanos) {
      return limit * DECREASE;
    }
    return round.isIdle(limit) ? limit : limit + 1;
  }
}
