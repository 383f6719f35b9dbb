package dev.weir.rules.lint;

import dev.weir.rule.ResponseCost;
import dev.weir.rule.Rule;
import dev.weir.rules.syntax.RuleSyntax;
import dev.weir.rules.yaml.LintCodes;
import dev.weir.rules.yaml.Problems;

/** Warns of rules that only a gateway can apply, because it sees bodies and responses. */
final class GatewayLint {
  private final Problems problems;

  GatewayLint(Problems problems) {
    this.problems = problems;
  }

  void check(RuleSyntax.ParsedRule parsed) {
    Rule rule = parsed.rule();
    boolean matches = rule.match().stream().anyMatch(one -> isModel(one.name()));
    boolean counts =
        rule.per().stream()
            .flatMap(one -> one.alternatives().stream())
            .anyMatch(alternative -> alternative.stream().anyMatch(GatewayLint::isModel));
    if (matches) {
      warn(parsed, "match", "model never matches there, so the rule limits nothing");
    } else if (counts) {
      warn(parsed, "per", "requests without model share one counter there");
    } else if (rule.cost().response() != null) {
      long estimate = rule.cost().defaultCost();
      warn(parsed, "cost", "each request is charged its estimate there, which is " + estimate);
    }
  }

  private static boolean isModel(String name) {
    return name.equals(ResponseCost.MODEL);
  }

  private void warn(RuleSyntax.ParsedRule parsed, String key, String effect) {
    problems.warning(
        parsed.section().location(key),
        LintCodes.NEEDS_GATEWAY,
        parsed.rule().name()
            + ": "
            + key
            + " works only in weir gateway, since weir serve sees neither the body nor the"
            + " response; "
            + effect
            + " (use weir gateway, and ignore this)");
  }
}
