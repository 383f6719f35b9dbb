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

  /** A server leases nothing of which it may hold less. */
  private static final long LEAST_LEASED = 2;

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
    Leasable.objection(rule.mode(), claim.limit(), claim.cost())
        .map(why -> "counted strictly: " + why)
        .or(() -> amongServers(rule, claim, servers))
        .ifPresent(notes::add);
    return notes.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", notes));
  }

  /** A server's part is too small if the share of all is too small for what all need at least. */
  private static Optional<String> amongServers(Rule rule, Claim claim, int servers) {
    long each = Math.min(Math.max(LEAST_LEASED, claim.cost()), Long.MAX_VALUE / servers);
    return Leasable.objection(rule.mode(), claim.limit(), each * servers)
        .map(why -> "counted strictly among " + servers + " servers, " + each + " each: " + why);
  }
}
