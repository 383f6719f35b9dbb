package dev.weir.yaml;

import dev.weir.domain.DomainBook;
import dev.weir.rule.Rule;
import java.util.List;

/** Looks for rules, and for files, that limit nobody. */
final class EffectLint {
  static final String NO_LIMIT = EnvoyLint.NO_LIMIT;

  private final Problems problems;

  EffectLint(Problems problems) {
    this.problems = problems;
  }

  /** A server that is configured and limits nothing looks like one that limits. */
  void checkAll(List<Section> files, List<RuleSyntax.Read> rules, DomainBook domains) {
    if (rules.isEmpty() && domains.names().isEmpty() && !problems.hasErrors()) {
      for (Section file : files) {
        if (file.has("rules")) {
          problems.warning(file.place("rules"), NO_LIMIT, "rules: none, so nothing is limited");
        }
      }
    }
  }

  void check(RuleSyntax.Read read) {
    Rule rule = read.rule();
    if (rule.applied() == 0) {
      problems.warning(
          read.section().place("rollout"),
          NO_LIMIT,
          rule.name() + ": does nothing, since it is in shadow for no caller");
    } else if (rule.allowances().stream().noneMatch(one -> one.blocked() || hasLimit(one))) {
      problems.warning(
          read.section().place(rule.tiers().isPresent() ? "tier" : "limit"),
          NO_LIMIT,
          rule.name() + ": limits nobody, since everybody is unlimited");
    }
  }

  private static boolean hasLimit(dev.weir.rule.Allowance allowance) {
    return !allowance.limits().isEmpty();
  }
}
