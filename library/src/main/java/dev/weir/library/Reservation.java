package dev.weir.library;

/**
 * Permits that were taken for an estimated cost.
 *
 * <p>Settle it once the true cost is known: the difference is charged or refunded. A reservation
 * that is closed unsettled is given back whole, so that work that failed costs nothing:
 *
 * <pre>{@code
 * try (Reservation tokens = limiter.reserve("acme", 1_000)) {
 *   if (tokens.decision().allowed()) {
 *     tokens.settle(model.complete(prompt).usedTokens());
 *   }
 * }
 * }</pre>
 *
 * <p>Safe for use by any number of threads; the first to settle or close it wins.
 */
public final class Reservation implements AutoCloseable {
  private final RateLimiter limiter;
  private final String key;
  private final long estimate;
  private final RateLimitDecision decision;
  private boolean done;

  Reservation(RateLimiter limiter, String key, long estimate, RateLimitDecision decision) {
    this.limiter = limiter;
    this.key = key;
    this.estimate = estimate;
    this.decision = decision;
  }

  /** Whether the estimate was granted. */
  public RateLimitDecision decision() {
    return decision;
  }

  /**
   * Replaces the estimate by the true cost: the difference is charged, even beyond the limit, or
   * given back. Does nothing if the reservation was denied, settled or closed.
   *
   * @throws IllegalArgumentException if the cost is out of range
   * @throws dev.weir.StoreFailure if the store does not answer
   * @throws IllegalStateException if the Weir is closed
   */
  public void settle(long cost) {
    Arguments.cost(cost);
    if (end()) {
      if (cost > estimate) {
        limiter.cost(cost - estimate).charge(key);
      } else if (cost < estimate) {
        limiter.cost(estimate - cost).refund(key);
      }
    }
  }

  /**
   * Gives the estimate back without waiting for the store, unless the reservation was settled. It
   * throws nothing; if the store does not answer, the estimate stays charged.
   */
  @Override
  public void close() {
    if (end()) {
      limiter.giveBack(key, estimate);
    }
  }

  private synchronized boolean end() {
    boolean first = !done && decision.allowed();
    done = true;
    return first;
  }
}
