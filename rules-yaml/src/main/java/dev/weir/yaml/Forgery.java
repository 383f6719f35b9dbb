package dev.weir.yaml;

import dev.weir.rule.Condition;
import dev.weir.rule.Identity;
import dev.weir.rule.PathPattern;
import dev.weir.rule.Rule;
import java.util.List;

/** Looks for what a client can make up: who it is, its tier, its cost. */
final class Forgery {
  private final Problems problems;

  Forgery(Problems problems) {
    this.problems = problems;
  }

  /** A caller that may choose its own name has as many counters as it likes. */
  void check(RuleSyntax.Read read) {
    Section section = read.section();
    for (Identity identity : read.rule().per()) {
      for (List<String> way : identity.alternatives()) {
        madeUp(read, way);
        if (way.stream().anyMatch(name -> isForgeable(name) && !isPinned(read.rule(), name))) {
          problems.warning(
              section.place("per"),
              Lint.FORGEABLE,
              read.rule().name()
                  + ": a client can send any "
                  + Problems.shown(String.join(" and ", way))
                  + " and gets a new counter each time (let a proxy set it: trusted-header;"
                  + " or use a verified jwt claim; or limit ip as well, and ignore this)");
          break;
        }
      }
    }
    String tier = read.rule().tiers().map(tiers -> tiers.value()).orElse(null);
    if (tier != null && isForgeable(tier)) {
      problems.warning(
          section.place("tier"),
          Lint.FORGEABLE,
          read.rule().name()
              + ": a client can choose its own tier by sending "
              + Problems.shown(tier)
              + " (use trusted-header or a verified jwt claim)");
    }
    String cost = read.rule().cost().value();
    if (cost != null && isForgeable(cost)) {
      problems.warning(
          section.place("cost"),
          Lint.FORGEABLE,
          read.rule().name()
              + ": a client can choose its own cost by sending "
              + Problems.shown(cost));
    }
  }

  /** Every request has a path, a host and a method, and a client can make up each of them. */
  private void madeUp(RuleSyntax.Read read, List<String> way) {
    for (String name : List.of("path", "host", "method")) {
      if (way.contains(name) && !isPinned(read.rule(), name)) {
        problems.warning(
            read.section().place("per"),
            Lint.FORGEABLE,
            read.rule().name()
                + String.format(
                    ": a client can make up %1$ss and gets a new counter for each (leave %1$s out"
                        + " of per, or match exact %1$ss)",
                    name));
      }
    }
  }

  /** Whether only a few values that the rule names can make a counter. */
  private static boolean isPinned(Rule rule, String name) {
    return rule.match().stream()
        .filter(condition -> condition.name().equals(name))
        .anyMatch(
            condition ->
                condition instanceof Condition.OneOf
                    || (condition instanceof Condition.Path path
                        && path.patterns().stream().allMatch(PathPattern::isLiteral)));
  }

  static boolean isForgeable(String name) {
    return name.startsWith("header ") || name.startsWith("cookie ");
  }

  static boolean isVerified(String name) {
    return name.startsWith("jwt ") || name.startsWith("trusted-header ");
  }
}
