package dev.weir.rules.lint;

import dev.weir.http.identity.HttpReader;
import dev.weir.rule.Identity;
import dev.weir.rule.Rule;
import dev.weir.rule.condition.Condition;
import dev.weir.rules.syntax.RuleSyntax;
import dev.weir.rules.yaml.LintCodes;
import dev.weir.rules.yaml.Problems;
import dev.weir.rules.yaml.SourceLocation;
import java.util.List;

/** Warns of what only an application can use, because it knows its users. Not thread-safe. */
public final class ApplicationLint {
  private static final String PRINCIPAL = HttpReader.PRINCIPAL;

  private final Problems problems;

  /** A lint that adds its warnings to {@code problems}. */
  public ApplicationLint(Problems problems) {
    this.problems = problems;
  }

  void check(RuleSyntax.ParsedRule parsed) {
    Rule rule = parsed.rule();
    if (isRead(rule.match())) {
      warn(parsed, "match", "the rule applies to no request");
    } else if (rule.per().stream().anyMatch(ApplicationLint::isOnly)) {
      boolean skips = rule.whenAbsent() == Rule.WhenAbsent.SKIP;
      String effect = skips ? "the rule applies to no request" : "all requests share one counter";
      warn(parsed, "per", effect);
    } else if (rule.per().stream().anyMatch(ApplicationLint::isAlternative)) {
      warn(parsed, "per", "only the other alternatives identify callers");
    }
    if (PRINCIPAL.equals(rule.tiers().map(tiers -> tiers.value()).orElse(null))) {
      warn(parsed, "tier", "every request has the default tier");
    }
    if (PRINCIPAL.equals(rule.cost().value())) {
      warn(parsed, "cost", "every request costs " + rule.cost().defaultCost());
    }
  }

  /** Warns of a priority that reads the principal. */
  public void checkPriority(SourceLocation location, List<Condition> match) {
    if (isRead(match)) {
      warn(location, "priority", "match", "it is the priority of no request");
    }
  }

  private static boolean isRead(List<Condition> match) {
    return match.stream().anyMatch(one -> one.name().equals(PRINCIPAL));
  }

  /** Whether nobody is identified without a principal. */
  private static boolean isOnly(Identity identity) {
    return identity.alternatives().stream().allMatch(names -> names.contains(PRINCIPAL));
  }

  private static boolean isAlternative(Identity identity) {
    return identity.alternatives().stream().anyMatch(names -> names.contains(PRINCIPAL));
  }

  private void warn(RuleSyntax.ParsedRule parsed, String key, String effect) {
    warn(parsed.section().location(key), parsed.rule().name(), key, effect);
  }

  private void warn(SourceLocation location, String owner, String key, String effect) {
    problems.warning(
        location,
        LintCodes.NEEDS_APPLICATION,
        owner
            + ": "
            + key
            + " reads principal, which only an application with Weir inside it knows; in weir serve"
            + " and weir gateway "
            + effect
            + " (use jwt sub there)");
  }
}
