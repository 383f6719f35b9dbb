package dev.weir.gateway.adaptive;

/**
 * How many requests may be in flight to an upstream, learnt from those that have ended.
 * Implementations are safe for use by any number of threads, and never wait.
 */
public interface AdaptiveLimit {
  /** The requests that may be in flight now; at least 1. */
  int limit();

  /**
   * Learns from a request that has ended.
   *
   * @param rttNanos how long it took
   * @param inFlight the requests that were in flight when it ended, with it
   * @param dropped whether the upstream did not serve it: a timeout, a reset, a refusal. Its
   *     latency does not count
   */
  void onSample(long rttNanos, int inFlight, boolean dropped);
}
