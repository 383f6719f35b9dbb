package dev.weir.cli.explain;

import dev.weir.Claim;
import dev.weir.cli.terminal.Json;
import dev.weir.cli.terminal.Wording;
import dev.weir.rule.Rule;
import dev.weir.rule.book.Charge;
import dev.weir.rule.book.Match;
import dev.weir.rule.book.Twin;
import dev.weir.server.admin.CounterNotes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A counter that a request is charged to.
 *
 * @param enforced whether it can deny the request; else it is a shadow counter
 */
record Counter(Rule rule, Claim claim, boolean enforced) {

  /** The counters that can deny. */
  static List<Counter> enforced(Match match) {
    return match.charges().stream().map(Counter::of).toList();
  }

  /** The shadow counters, which never deny. */
  static List<Counter> shadows(Match match) {
    return match.shadows().stream().map(Counter::of).toList();
  }

  /** All counters, the enforced ones first. */
  static List<Counter> all(Match match) {
    List<Counter> all = new ArrayList<>(enforced(match));
    all.addAll(shadows(match));
    return all;
  }

  /** The counters of limits that are judged, and not in force. */
  static List<Counter> of(Twin twin) {
    return twin.charges().stream().map(Counter::of).toList();
  }

  private static Counter of(Charge charge) {
    return new Counter(charge.rule(), charge.claim(), charge.enforced());
  }

  String limit() {
    return Wording.limit(claim.limit());
  }

  String key() {
    return claim.key().toString();
  }

  /** A note on the limit besides its numbers; null if there is none. */
  @Nullable String note() {
    return CounterNotes.of(rule, claim).orElse(null);
  }

  Map<String, @Nullable Object> json() {
    return Json.object(
        "rule",
        rule.name(),
        "limit",
        limit(),
        "algorithm",
        Wording.algorithm(claim.limit()),
        "permits",
        claim.limit().permits(),
        "windowMicros",
        claim.limit().windowMicros(),
        "capacity",
        claim.limit().capacity(),
        "key",
        key(),
        "cost",
        claim.cost(),
        "enforced",
        enforced,
        "note",
        note());
  }
}
