package dev.weir.cli;

import dev.weir.Claim;
import dev.weir.rule.Match;
import dev.weir.rule.Rule;
import dev.weir.server.CounterNotes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A counter that a request is counted in.
 *
 * @param enforced whether it can deny; else it only watches
 */
record Counter(Rule rule, Claim claim, boolean enforced) {

  static List<Counter> enforced(Match match) {
    return of(match.rules(), match.claims(), true);
  }

  static List<Counter> watching(Match match) {
    return of(match.shadowRules(), match.shadows(), false);
  }

  static List<Counter> all(Match match) {
    List<Counter> all = new ArrayList<>(enforced(match));
    all.addAll(watching(match));
    return all;
  }

  private static List<Counter> of(List<Rule> rules, List<Claim> claims, boolean enforced) {
    List<Counter> counters = new ArrayList<>();
    for (int i = 0; i < claims.size(); i++) {
      counters.add(new Counter(rules.get(i), claims.get(i), enforced));
    }
    return counters;
  }

  String limit() {
    return Words.limit(claim.limit());
  }

  String key() {
    return claim.key().toString();
  }

  /** What is to be known about the limit beside its numbers, if anything. */
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
        Words.algorithm(claim.limit()),
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
