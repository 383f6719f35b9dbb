package dev.weir.rules.lint;

import dev.weir.Limit;
import dev.weir.rule.Allowance;
import dev.weir.rule.Rule;
import dev.weir.rules.syntax.RuleSyntax;
import dev.weir.rules.yaml.LintCodes;
import dev.weir.rules.yaml.Problems;
import dev.weir.shared.lease.LeasePolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Warns of limits that the mode of their rule cannot lease, and of settings that a mode ignores.
 */
final class ModeLint {
  private final Problems problems;

  ModeLint(Problems problems) {
    this.problems = problems;
  }

  void check(RuleSyntax.ParsedRule parsed) {
    checkLeasable(parsed);
    checkStoreUsed(parsed);
  }

  private void checkStoreUsed(RuleSyntax.ParsedRule parsed) {
    String key = "when-store-fails";
    if (parsed.rule().mode().isLocal() && parsed.section().has(key)) {
      problems.warning(
          parsed.section().location(key),
          LintCodes.STORE_NOT_ASKED,
          parsed.rule().name()
              + ": "
              + key
              + " has no effect, since mode local never uses the store");
    }
  }

  private void checkLeasable(RuleSyntax.ParsedRule parsed) {
    Rule rule = parsed.rule();
    long minCost = rule.cost().value() == null ? rule.cost().maxCost() : 1;
    List<Allowance> all = new ArrayList<>(rule.allowances());
    all.addAll(rule.candidateAllowances());
    for (Allowance allowance : all) {
      for (Limit limit : allowance.limits()) {
        Optional<String> objection = LeasePolicy.objection(rule.mode(), limit, minCost, 1);
        if (objection.isPresent()) {
          problems.warning(
              parsed.section().location("mode"),
              LintCodes.COUNTED_STRICTLY,
              rule.name() + ": a limit is counted strictly, since " + objection.get());
          return;
        }
      }
    }
  }
}
