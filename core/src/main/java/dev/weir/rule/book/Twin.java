package dev.weir.rule.book;

import dev.weir.Claim;
import dev.weir.rule.Rule;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * What a request would be charged by the limits of a rule that are not in force for its caller: by
 * those of the candidate, or, where a rollout has put the candidate in force, by the rule's own.
 *
 * @param rule the rule, which has a candidate
 * @param charges on counters that those in force never touch; empty if the limits are unlimited
 * @param ofCandidate whether the charges are those of the candidate
 * @param shadow whether the charges in force are among {@link Match#shadows()}: the rule denies
 *     nobody, or not this caller
 */
public record Twin(Rule rule, List<Charge> charges, boolean ofCandidate, boolean shadow) {

  /** Copies the charges. */
  public Twin {
    charges = List.copyOf(charges);
  }

  /** The claims of the charges, taken all or none. */
  public List<Claim> claims() {
    return charges.stream().map(Charge::claim).toList();
  }

  Twin with(UnaryOperator<Charge> changed) {
    return new Twin(rule, charges.stream().map(changed).toList(), ofCandidate, shadow);
  }
}
