package dev.weir.yaml;

import dev.weir.Limit;
import dev.weir.lease.Leasable;
import dev.weir.rule.Allowance;
import dev.weir.rule.Rule;
import java.util.Optional;

/** Looks for limits that are not kept in the mode of their rule, and for what a mode ignores. */
final class ModeLint {
  static final String STRICTLY = "counted-strictly";
  static final String NOT_ASKED = "store-not-asked";

  private final Problems problems;

  ModeLint(Problems problems) {
    this.problems = problems;
  }

  void check(RuleSyntax.Read read) {
    strictly(read);
    notAsked(read);
  }

  private void notAsked(RuleSyntax.Read read) {
    String key = "when-store-fails";
    if (read.rule().mode().isLocal() && read.section().has(key)) {
      problems.warning(
          read.section().place(key),
          NOT_ASKED,
          read.rule().name() + ": " + key + " says nothing, since mode local never asks the store");
    }
  }

  private void strictly(RuleSyntax.Read read) {
    Rule rule = read.rule();
    long least = rule.cost().value() == null ? rule.cost().ceiling() : 1;
    for (Allowance allowance : rule.allowances()) {
      for (Limit limit : allowance.limits()) {
        Optional<String> objection = Leasable.objection(rule.mode(), limit, least, 1);
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
