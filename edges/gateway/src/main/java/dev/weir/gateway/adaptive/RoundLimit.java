package dev.weir.gateway.adaptive;

/**
 * A limit that takes one step in each round. A round is as many samples as the limit allows in
 * flight, about one round trip under load: a step by every sample would be blind to the effect of
 * those before it, and overshoot.
 *
 * <p>Safe for use by any number of threads: {@link #limit} reads one volatile field; samples are
 * added under a lock, which is held for a few nanoseconds.
 */
abstract class RoundLimit implements AdaptiveLimit {
  private static final int MIN_SAMPLES = 10;

  /** Longer latencies count as this, so that no sum overflows. */
  private static final long MAX_RTT_NANOS = 3_600_000_000_000L;

  private final LimitBounds bounds;
  private double estimate;
  private volatile int limit;

  private int samples;
  private int served;
  private double rttSumNanos;
  private int maxInFlight;
  private boolean dropped;

  RoundLimit(LimitBounds bounds) {
    this.bounds = bounds;
    this.estimate = bounds.initial();
    this.limit = bounds.initial();
  }

  /** The next estimate after a round; the caller keeps it within the bounds. */
  abstract double next(double limit, Round round);

  /** The limit in force while the estimate is this one. */
  double enforced(double estimate) {
    return estimate;
  }

  @Override
  public final int limit() {
    return limit;
  }

  @Override
  public final synchronized void onSample(long rttNanos, int inFlight, boolean drop) {
    samples++;
    maxInFlight = Math.max(maxInFlight, inFlight);
    if (drop) {
      dropped = true;
    } else {
      served++;
      rttSumNanos += Math.max(1, Math.min(rttNanos, MAX_RTT_NANOS));
    }
    if (samples >= Math.max(MIN_SAMPLES, estimate)) {
      Round round = new Round(served == 0 ? 0 : rttSumNanos / served, maxInFlight, dropped);
      samples = 0;
      served = 0;
      rttSumNanos = 0;
      maxInFlight = 0;
      dropped = false;
      estimate = bounds.clamp(next(estimate, round));
      limit = (int) bounds.clamp(enforced(estimate));
    }
  }
}
