package dev.weir.yaml;

import dev.weir.Limit;
import dev.weir.lease.Leasable;
import dev.weir.rule.Allowance;
import dev.weir.rule.Rule;
import java.util.Optional;

/** Looks for limits that are counted strictly, though their rule would have them leased. */
final class ModeLint {
  static final String STRICTLY = "counted-strictly";

  private final Problems problems;

  ModeLint(Problems problems) {
    this.problems = problems;
  }

  void check(RuleSyntax.Read read) {
    Rule rule = read.rule();
    long least = rule.cost().value() == null ? rule.cost().ceiling() : 1;
    for (Allowance allowance : rule.allowances()) {
      for (Limit limit : allowance.limits()) {
        Optional<String> objection = Leasable.objection(rule.mode(), limit, least);
        if (objection.isPresent()) {
          problems.warning(
              read.section().place("mode"),
              STRICTLY,
              rule.name() + ": a limit is counted strictly, since " + objection.get());
          return;
        }
      }
    }
  }
}
