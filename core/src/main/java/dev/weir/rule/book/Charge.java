package dev.weir.rule.book;

import dev.weir.Claim;
import dev.weir.rule.FailureMode;
import dev.weir.rule.Policy;
import dev.weir.rule.Rule;

/**
 * One claim that a rule makes on behalf of a request.
 *
 * @param rule the rule that makes the claim
 * @param policy the limit, by the name that clients see
 * @param claim what the store is to take
 * @param enforced whether the rule can deny the request; a rule in shadow mode only counts
 */
public record Charge(Rule rule, Policy policy, Claim claim, boolean enforced) {

  /** The failure mode for the time while the store does not answer. */
  public FailureMode failureMode() {
    return rule.failureMode();
  }

  /** This charge at another cost. */
  public Charge withCost(long cost) {
    return new Charge(rule, policy, claim.withCost(cost), enforced);
  }
}
