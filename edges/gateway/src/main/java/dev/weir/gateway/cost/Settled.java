package dev.weir.gateway.cost;

import dev.weir.rule.book.Charge;
import java.util.List;
import java.util.Optional;

/**
 * What became of the estimates of one request. Immutable.
 *
 * @param outcome how the exchange ended
 * @param usage the tokens that were charged for, if the upstream stated any or some were seen
 * @param amounts for each charge whose cost the response states
 */
public record Settled(Outcome outcome, Optional<Usage> usage, List<Amount> amounts) {

  /** Copies the amounts. */
  public Settled {
    amounts = List.copyOf(amounts);
  }

  /** How an exchange ended, as far as costs are concerned. */
  public enum Outcome {
    /** The response stated the cost. */
    STATED,
    /** The response ended without stating the cost: the estimate stays. */
    UNSTATED,
    /** The client or the upstream broke off: what was seen of the response counts. */
    ABORTED,
    /** The upstream failed before it answered, or refused the request: it costs nothing. */
    FAILED
  }

  /**
   * One charge.
   *
   * @param charge as it was taken: its cost is the estimate
   * @param actual the true cost
   * @param charged what was charged in addition
   * @param refunded what was given back; less than the difference if the counter had forgotten it
   */
  public record Amount(Charge charge, long actual, long charged, long refunded) {
    /** What was taken before the cost was known. */
    public long reserved() {
      return charge.claim().cost();
    }
  }
}
