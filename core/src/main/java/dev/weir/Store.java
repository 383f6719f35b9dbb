package dev.weir;

import java.util.List;

/**
 * Holds counters and makes each step on them atomic.
 *
 * <p>Every operation takes a list of claims and treats it as one: nobody sees half of it. Claims on
 * the same key are counted one after the other, in the order given. An empty list is allowed.
 */
public interface Store {

  /** Takes all claims, or none: a denied request costs nothing anywhere. */
  Answer take(List<Claim> claims);

  /**
   * Tells what {@link #take} would answer now, and spends nothing. What remains is told as it
   * stands, with the claims not yet subtracted.
   */
  Answer look(List<Claim> claims);

  /**
   * Gives back what the claims took. A counter never holds more than it started with; what was
   * spent in a window that has ended is gone with it. A concurrency permit is released.
   */
  Answer refund(List<Claim> claims);

  /**
   * Charges the claims whether or not there is room, to settle an estimate with the truth. A
   * counter may be left in debt, which time pays back; a concurrency limit is left as it is.
   */
  Answer charge(List<Claim> claims);

  /** Forgets the claims' counters: each is as if never used. */
  Answer forget(List<Claim> claims);

  /** {@link #take(List)} for a single claim. */
  default Answer take(Claim claim) {
    return take(List.of(claim));
  }
}
