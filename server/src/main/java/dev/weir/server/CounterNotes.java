package dev.weir.server;

import dev.weir.Algorithm;
import dev.weir.Claim;
import dev.weir.lease.Leasable;
import dev.weir.rule.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What there is to say about a counter beside its numbers, wherever one is explained. */
public final class CounterNotes {
  private static final String LEFT_OUT_OF_CHECK =
      "held by /v1/decide until /v1/release; /v1/check leaves it out";

  private CounterNotes() {}

  /** About the counter that a rule claims something of, for a server that shares it with nobody. */
  public static Optional<String> of(Rule rule, Claim claim) {
    return of(rule, claim, 1);
  }

  /** The same for a server that shares it with others, itself included in their number. */
  static Optional<String> of(Rule rule, Claim claim, int servers) {
    List<String> notes = new ArrayList<>();
    if (claim.limit().algorithm() == Algorithm.CONCURRENCY) {
      notes.add(LEFT_OUT_OF_CHECK);
    }
    Leasable.objection(rule.mode(), claim.limit(), claim.cost(), servers)
        .ifPresent(why -> notes.add("counted strictly: " + why));
    return notes.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", notes));
  }
}
