package dev.weir.library;

import dev.weir.library.internal.Arguments;
import dev.weir.rule.book.Match;
import java.util.OptionalLong;

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
  private final Engine engine;
  private final Match match;
  private final long estimate;
  private final RateLimitDecision decision;
  private boolean done;

  /**
   * Keeps what was taken.
   *
   * @param match what the estimate was taken from, and is given back to
   */
  Reservation(Engine engine, Match match, long estimate, RateLimitDecision decision) {
    this.engine = engine;
    this.match = match;
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
    engine.checkOpen();
    if (end()) {
      if (cost > estimate) {
        var unused =
            engine.limiter().charge(match.withCost(OptionalLong.of(cost - estimate))).join();
      } else if (cost < estimate) {
        var unused =
            engine.limiter().refund(match.withCost(OptionalLong.of(estimate - cost))).join();
      }
    }
  }

  /**
   * Gives the estimate back without waiting for the store, unless the reservation was settled. It
   * throws nothing; if the store does not answer, the estimate stays charged.
   */
  @Override
  public void close() {
    if (end() && estimate > 0) {
      engine.limiter().giveBack(match, decision.whole());
    }
  }

  private synchronized boolean end() {
    boolean first = !done && decision.allowed();
    done = true;
    return first;
  }
}
