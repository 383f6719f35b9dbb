package dev.weir.rules.lint;

import dev.weir.rule.Allowance;
import dev.weir.rule.Candidate;
import dev.weir.rule.Rule;
import dev.weir.rules.domain.DomainBook;
import dev.weir.rules.syntax.RuleSyntax;
import dev.weir.rules.yaml.LintCodes;
import dev.weir.rules.yaml.Problems;
import dev.weir.rules.yaml.Section;
import java.util.List;

/** Warns of rules and files without any effect. Not thread-safe. */
public final class EffectLint {
  private final Problems problems;

  /** A lint that adds its warnings to {@code problems}. */
  public EffectLint(Problems problems) {
    this.problems = problems;
  }

  /**
   * Warns if the files limit nothing at all, which a running server would not show.
   *
   * @param rules of requests and of calls
   */
  public void checkAll(List<Section> files, List<RuleSyntax.ParsedRule> rules, DomainBook domains) {
    if (rules.isEmpty() && domains.names().isEmpty() && !problems.hasErrors()) {
      for (Section file : files) {
        for (String key : List.of("rules", "calls")) {
          if (file.has(key)) {
            problems.warning(
                file.location(key), LintCodes.NO_LIMIT, key + ": none, so nothing is limited");
          }
        }
      }
    }
  }

  void check(RuleSyntax.ParsedRule parsed) {
    Rule rule = parsed.rule();
    if (rule.applied() == 0) {
      problems.warning(
          parsed.section().location("rollout"),
          LintCodes.NO_LIMIT,
          rule.name() + ": does nothing, since it is in shadow for no caller");
    } else if (rule.allowances().stream().noneMatch(one -> one.blocked() || hasLimit(one))
        && rule.candidateAllowances().stream().noneMatch(EffectLint::hasLimit)) {
      problems.warning(
          parsed.section().location(rule.tiers().isPresent() ? "tier" : "limit"),
          LintCodes.NO_LIMIT,
          rule.name() + ": limits no caller, since all are unlimited");
    }
    rule.candidate().ifPresent(candidate -> checkCandidate(parsed, candidate));
  }

  private void checkCandidate(RuleSyntax.ParsedRule parsed, Candidate candidate) {
    Rule rule = parsed.rule();
    boolean everywhere = candidate.rollout() == Rule.WHOLE;
    if (everywhere || isSame(rule, candidate)) {
      problems.warning(
          parsed.section().location("candidate"),
          LintCodes.REDUNDANT_CANDIDATE,
          rule.name()
              + (everywhere
                  ? ": the candidate is in force for all callers: make it the limit"
                  : ": the candidate equals the limits of the rule, so both always agree"));
    }
  }

  private static boolean isSame(Rule rule, Candidate candidate) {
    return rule.tiers()
        .map(tiers -> tiers.tiers().entrySet().containsAll(candidate.tiers().entrySet()))
        .orElse(rule.allowance().equals(candidate.allowance()));
  }

  private static boolean hasLimit(Allowance allowance) {
    return !allowance.limits().isEmpty();
  }
}
