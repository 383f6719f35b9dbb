package dev.weir.gateway.adaptive;

/**
 * What the requests of one round showed. Immutable.
 *
 * @param rttNanos their mean latency, dropped ones excluded; 0 if all were dropped
 * @param maxInFlight the maximum in flight
 * @param dropped whether any was dropped
 */
record Round(double rttNanos, int maxInFlight, boolean dropped) {
  /** Whether the limit was not used up to its half, so that a greater one would change nothing. */
  boolean isIdle(double limit) {
    return 2.0 * maxInFlight < limit;
  }

  /** Whether there is a latency. */
  boolean hasLatency() {
    return rttNanos > 0;
  }
}
