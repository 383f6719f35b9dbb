package dev.weir.cli.doctor.plan;

import dev.weir.rule.Rule;
import java.util.List;

/**
 * What to send, before anything is sent.
 *
 * @param proofs in the order of the rules
 * @param open what is not tried, with the reason
 */
public record Plan(List<Proof> proofs, List<Open> open) {

  /**
   * A rule, or callers of it, about which nothing will be proved.
   *
   * @param enforced whether the rule can deny anybody
   */
  public record Open(Rule rule, String subject, boolean enforced, String why) {}

  /** Copies the lists. */
  public Plan {
    proofs = List.copyOf(proofs);
    open = List.copyOf(open);
  }

  /** About how many requests it takes where nothing is wrong. */
  public long requests() {
    return proofs.stream().mapToLong(Proof::requests).sum();
  }
}
