package dev.weir;

import java.util.List;

/**
 * Holds counters and applies operations to them atomically.
 *
 * <p>An implementation has one method, {@link #apply}; callers use the five verbs. Every operation
 * applies a list of claims as one atomic step. Claims on the same key are counted one after the
 * other, in the order given. An empty list is allowed.
 *
 * <p>Stores are safe for use by any number of threads.
 */
@FunctionalInterface
public interface Store {

  /**
   * Applies an operation to all claims, or to none.
   *
   * @throws IllegalArgumentException if {@link Claim#request} rejects the claims
   * @throws StoreFailure if the store knows at once that it cannot answer; a remote store may also
   *     return a failed {@link Answer}
   */
  Answer apply(Operation operation, List<Claim> claims);

  /** Takes all claims, or none: a denied request costs nothing anywhere. */
  default Answer take(List<Claim> claims) {
    return apply(Operation.TAKE, claims);
  }

  /**
   * Answers what {@link #take} would answer now, and spends nothing. The remaining permits are
   * those before the claims are subtracted.
   */
  default Answer peek(List<Claim> claims) {
    return apply(Operation.PEEK, claims);
  }

  /**
   * Returns what the claims took, and releases concurrency permits. A counter never holds more than
   * its limit, and a refund of what was spent in a window that has ended has no effect.
   */
  default Answer refund(List<Claim> claims) {
    return apply(Operation.REFUND, claims);
  }

  /**
   * Charges the claims whether or not there is room, to correct an estimate by the actual cost. A
   * counter may then be in {@linkplain Decision#debt() debt}, which shrinks with time. A
   * concurrency limit stays unchanged.
   */
  default Answer charge(List<Claim> claims) {
    return apply(Operation.CHARGE, claims);
  }

  /** Resets the claims' counters to the state of never having been used. */
  default Answer reset(List<Claim> claims) {
    return apply(Operation.RESET, claims);
  }

  /** {@link #take(List)} for a single claim. */
  default Answer take(Claim claim) {
    return take(List.of(claim));
  }
}
