package dev.weir.server.admin;

import dev.weir.Algorithm;
import dev.weir.Claim;
import dev.weir.rule.Rule;
import dev.weir.shared.lease.LeasePolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Notes on a counter beside its numbers, for all explanations of one. */
public final class CounterNotes {
  private static final String LEFT_OUT_OF_CHECK =
      "held by /v1/decide until /v1/release; /v1/check leaves it out";

  private CounterNotes() {}

  /** The note on the counter of a claim, for a single server. */
  public static Optional<String> of(Rule rule, Claim claim) {
    return of(rule, claim, 1);
  }

  /** The note on the counter of a claim, for one of so many servers that share it. */
  static Optional<String> of(Rule rule, Claim claim, int servers) {
    List<String> notes = new ArrayList<>();
    if (claim.limit().algorithm() == Algorithm.CONCURRENCY) {
      notes.add(LEFT_OUT_OF_CHECK);
    }
    LeasePolicy.objection(rule.mode(), claim.limit(), claim.cost(), servers)
        .ifPresent(reason -> notes.add("counted strictly: " + reason));
    return notes.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", notes));
  }
}
