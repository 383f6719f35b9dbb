package dev.weir.rules.lint;

import dev.weir.rule.Identity;
import dev.weir.rule.Rule;
import dev.weir.rule.condition.Condition;
import dev.weir.rule.condition.PathPattern;
import dev.weir.rules.syntax.RuleSyntax;
import dev.weir.rules.syntax.ValueTrust;
import dev.weir.rules.yaml.LintCodes;
import dev.weir.rules.yaml.Problems;
import dev.weir.rules.yaml.Section;
import java.util.List;

/** Warns of values that a client can forge: its identity, its tier, its cost. */
final class ForgeryLint {
  private final Problems problems;

  ForgeryLint(Problems problems) {
    this.problems = problems;
  }

  /** A client that can choose its identity gets as many counters as it likes. */
  void check(RuleSyntax.ParsedRule parsed) {
    Section section = parsed.section();
    for (Identity identity : parsed.rule().per()) {
      for (List<String> alternative : identity.alternatives()) {
        checkRequestValues(parsed, alternative);
        if (alternative.stream()
            .anyMatch(name -> ValueTrust.isForgeable(name) && !isPinned(parsed.rule(), name))) {
          problems.warning(
              section.location("per"),
              LintCodes.FORGEABLE_KEY,
              parsed.rule().name()
                  + ": a client can send any "
                  + Problems.shown(String.join(" and ", alternative))
                  + " and gets a new counter each time (let a proxy set it: trusted-header;"
                  + " or use a verified jwt claim; or limit ip as well, and ignore this)");
          break;
        }
      }
    }
    String tier = parsed.rule().tiers().map(tiers -> tiers.value()).orElse(null);
    if (tier != null && ValueTrust.isForgeable(tier)) {
      problems.warning(
          section.location("tier"),
          LintCodes.FORGEABLE_KEY,
          parsed.rule().name()
              + ": a client can choose its own tier by sending "
              + Problems.shown(tier)
              + " (use trusted-header or a verified jwt claim)");
    }
    String cost = parsed.rule().cost().value();
    if (cost != null && ValueTrust.isForgeable(cost)) {
      problems.warning(
          section.location("cost"),
          LintCodes.FORGEABLE_KEY,
          parsed.rule().name()
              + ": a client can choose its own cost by sending "
              + Problems.shown(cost));
    }
  }

  /** Every request has a path, a host and a method, and the client chooses each of them. */
  private void checkRequestValues(RuleSyntax.ParsedRule parsed, List<String> alternative) {
    for (String name : List.of("path", "host", "method")) {
      if (alternative.contains(name) && !isPinned(parsed.rule(), name)) {
        problems.warning(
            parsed.section().location("per"),
            LintCodes.FORGEABLE_KEY,
            parsed.rule().name()
                + String.format(
                    ": a client can make up %1$ss and gets a new counter for each (leave %1$s out"
                        + " of per, or match exact %1$ss)",
                    name));
      }
    }
  }

  /** Whether the rule matches only listed values, so that it has few counters. */
  private static boolean isPinned(Rule rule, String name) {
    return rule.match().stream()
        .filter(condition -> condition.name().equals(name))
        .anyMatch(
            condition ->
                condition instanceof Condition.OneOf
                    || (condition instanceof Condition.Path path
                        && path.patterns().stream().allMatch(PathPattern::isLiteral)));
  }
}
