package dev.weir.rules.lint;

import dev.weir.Algorithm;
import dev.weir.Limit;
import dev.weir.rules.syntax.RuleSyntax;
import dev.weir.rules.yaml.LintCodes;
import dev.weir.rules.yaml.Problems;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Warns of two limits of one rule on the same window. */
final class WindowLint {
  private final Problems problems;

  WindowLint(Problems problems) {
    this.problems = problems;
  }

  void check(RuleSyntax.ParsedRule parsed) {
    Set<Object> windows = new HashSet<>();
    for (Limit limit : parsed.rule().allowance().limits()) {
      boolean rate = limit.algorithm() != Algorithm.CONCURRENCY;
      if (rate && !windows.add(List.of(limit.windowMicros(), limit.calendar()))) {
        problems.warning(
            parsed.section().location("limit"),
            LintCodes.COUNTED_TWICE,
            parsed.rule().name()
                + ": two limits on the same window (the smaller one alone would do)");
      }
    }
  }
}
