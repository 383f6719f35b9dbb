package dev.weir.gateway.adaptive;

import java.util.random.RandomGenerator;

/**
 * A limit that compares the latency with that of an upstream without a queue.
 *
 * <p>How it works: in some rounds the limit is about halved, so that the queue of the upstream
 * drains, and the latency of the next round is the new base. In between, the base falls with the
 * latency, but rises only while the limit is not used.
 *
 * <p>Why: an average over all samples adopts the queue under constant overload, and then so does
 * the limit, which grows without end. A minimum over all samples is far below the typical latency
 * of an upstream whose latency varies. A measurement without a queue is neither. It costs about 2 %
 * of the throughput under overload: two short rounds of about sixty.
 */
abstract class LatencyLimit extends RoundLimit {
  /** The first base may have been measured with a queue, so it is measured again soon. */
  private static final int FIRST_ROUNDS = 5;

  private static final int MIN_ROUNDS = 40;
  private static final int MORE_ROUNDS = 41;
  private static final double WEIGHT = 0.1;
  private static final double PROBE = 0.5;

  /** The queue that the limits allow; half of a small limit would still contain it. */
  static final double QUEUE = 4;

  private final RandomGenerator random;
  private Phase phase = Phase.NORMAL;
  private int roundsLeft = FIRST_ROUNDS;
  private double baseNanos;

  private enum Phase {
    NORMAL,
    DRAIN,
    MEASURE
  }

  /**
   * A limit within bounds.
   *
   * @param random spreads the probes of several gateways
   */
  LatencyLimit(LimitBounds bounds, RandomGenerator random) {
    super(bounds);
    this.random = random;
  }

  /** The next estimate, given the latency without a queue. */
  abstract double next(double limit, Round round, double baseNanos);

  @Override
  final double next(double limit, Round round) {
    switch (phase) {
      case NORMAL -> {
        follow(limit, round);
        if (--roundsLeft <= 0) {
          phase = Phase.DRAIN;
        }
        return round.hasLatency() || round.dropped() ? next(limit, round, baseNanos) : limit;
      }
      case DRAIN -> phase = Phase.MEASURE;
      case MEASURE -> {
        if (round.hasLatency() && !round.dropped()) {
          baseNanos = round.rttNanos();
        }
        phase = Phase.NORMAL;
        roundsLeft = MIN_ROUNDS + random.nextInt(MORE_ROUNDS);
      }
    }
    return limit;
  }

  private void follow(double limit, Round round) {
    if (!round.hasLatency()) {
      return;
    }
    if (baseNanos <= 0) {
      baseNanos = round.rttNanos();
    } else if (round.rttNanos() < baseNanos || round.isIdle(limit)) {
      baseNanos += WEIGHT * (round.rttNanos() - baseNanos);
    }
  }

  @Override
  final double enforced(double estimate) {
    return phase == Phase.NORMAL ? estimate : (estimate - QUEUE) * PROBE;
  }
}
