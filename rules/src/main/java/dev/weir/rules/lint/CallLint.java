package dev.weir.rules.lint;

import dev.weir.rules.syntax.RuleSyntax;
import dev.weir.rules.yaml.LintCodes;
import dev.weir.rules.yaml.Problems;
import dev.weir.rules.yaml.Section;
import java.util.List;

/** Warns of calls that hardly work as intended. Not thread-safe. */
public final class CallLint {
  private final Problems problems;

  /** A lint that adds its warnings to {@code problems}. */
  public CallLint(Problems problems) {
    this.problems = problems;
  }

  /** Adds the warnings about the calls of all files. */
  public void check(List<Section> files, List<RuleSyntax.ParsedRule> calls) {
    for (Section file : files) {
      if (file.has("calls")) {
        problems.warning(
            file.location("calls"),
            LintCodes.NEEDS_APPLICATION,
            "calls: only code in an application asks for these limits by name; weir serve and weir"
                + " gateway never do (limit requests with rules there)");
      }
    }
    ModeLint modes = new ModeLint(problems);
    EffectLint effects = new EffectLint(problems);
    WindowLint windows = new WindowLint(problems);
    for (RuleSyntax.ParsedRule call : calls) {
      if (call.sound()) {
        modes.check(call);
        effects.check(call);
        windows.check(call);
      }
    }
  }
}
