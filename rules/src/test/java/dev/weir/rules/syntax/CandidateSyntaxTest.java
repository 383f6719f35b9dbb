package dev.weir.rules.syntax;

import static dev.weir.rules.TestRules.errors;
import static dev.weir.rules.TestRules.lint;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limit;
import dev.weir.rule.Allowance;
import dev.weir.rule.Candidate;
import dev.weir.rule.Rule;
import dev.weir.rules.RulesRejected;
import dev.weir.rules.TestRules;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How {@code candidate} is written, and what is refused. */
class CandidateSyntaxTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private static String yaml(String rule) {
    return "tiers: {free: 5/minute, pro: unlimited, staff: unlimited}\n"
        + "rules:\n"
        + "  - {name: r, per: ip, "
        + rule
        + "}\n";
  }

  private static Candidate candidate(String rule) throws RulesRejected {
    Rule read = TestRules.load(yaml(rule)).book().rules().get(0);
    return read.candidate().orElseThrow();
  }

  @Test
  void candidateHasTheLimitsOfARule() throws Exception {
    assertThat(candidate("limit: 9/m, candidate: 5/minute"))
        .isEqualTo(Candidate.of(Limit.tokenBucket(5, MINUTE)));
    assertThat(candidate("limit: 9/m, candidate: {limit: 5/minute, burst: 8, rollout: 2.5%}"))
        .isEqualTo(Candidate.of(Limit.tokenBucket(5, MINUTE, 8)).withRollout(250));
    assertThat(candidate("limit: 9/m, candidate: {limit: [5/minute, 1/s]}").allowances())
        .containsExactly(
            Allowance.of(
                Limit.tokenBucket(1, Duration.ofSeconds(1)), Limit.tokenBucket(5, MINUTE)));
  }

  @Test
  void algorithmOfTheRuleIsInherited() throws Exception {
    String rule = "limit: 9/m, algorithm: sliding-log, candidate: %s";
    assertThat(candidate(rule.formatted("5/minute")))
        .isEqualTo(Candidate.of(Limit.slidingLog(5, MINUTE)));
    assertThat(candidate(rule.formatted("{limit: 5/minute, algorithm: fixed-window}")))
        .isEqualTo(Candidate.of(Limit.fixedWindow(5, MINUTE)));
  }

  @Test
  void ruleWithTiersHasACandidateForSomeOfThem() throws Exception {
    String rule =
        "tier: trusted-header X-Plan, default-tier: free,"
            + " candidate: {tiers: {pro: 7/minute}, rollout: 1%}";
    assertThat(candidate(rule))
        .isEqualTo(
            Candidate.of(Map.of("pro", Allowance.of(Limit.tokenBucket(7, MINUTE))))
                .withRollout(100));
  }

  @Test
  void mistakesAreRefusedWithWhatWasExpected() {
    assertThat(errors(yaml("limit: 9/m, candidate: {rollout: 5%}")))
        .containsExactly(
            "3:47: candidate: neither limit nor tiers (expected: one of them, as the rule has it)");
    assertThat(errors(yaml("limit: 9/m, candidate: {limit: 5/m, rollout: 120%}")))
        .containsExactly(
            "3:69: rollout: 120% (expected: a share between 0% and 100%, such as 25% or 0.5%)");
    assertThat(errors(yaml("limit: 9/m, candidate: {limit: 5/m, concurrent: 3}")))
        .containsExactly(
            "3:60: key: concurrent (expected: a rule of its own with shadow: true, to try out"
                + " concurrent; did you mean that?)");
    assertThat(errors(yaml("limit: 9/m, candidate: blocked")))
        .containsExactly("3:47: candidate: blocked (expected: limits; a candidate blocks nobody)");
    assertThat(errors(yaml("limit: 9/m, concurrent: 3, candidate: 5/m")))
        .containsExactly(
            "3:51: candidate: beside concurrent (expected: concurrent in a rule of its own)");
    assertThat(errors(yaml("limit: 9/m, candidate: {tiers: {free: 5/m}}")))
        .containsExactly("3:36: candidate: tiers (expected: a rule with tiers)");
    assertThat(errors("rules: [{name: r, limit: 9/m, candidate: {limit: 5/m, rollout: 5%}}]"))
        .containsExactly(
            "1:64: rollout: 5% (expected: a rule with per, since a rollout picks callers)");
  }

  @Test
  void tiersOfACandidateAreThoseOfTheRule() {
    String plan = "tier: trusted-header X-Plan, default-tier: free, candidate: ";
    assertThat(errors(yaml(plan + "{tiers: {gold: 5/m}}")))
        .containsExactly("3:73: tier: gold (expected: one of free, pro, staff)");
    assertThat(errors(yaml(plan + "5/m")))
        .containsExactly("3:73: candidate: a limit (expected: tiers, as the rule has them)");
  }

  @Test
  void multipleThatLeavesTheCandidateLessThanAPermitIsRefused() {
    assertThat(errors(yaml("limit: 90/m, candidate: 5/m, overrides: {10.0.0.1: 0.1x}")))
        .containsExactly("3:37: permits: 0.1x of 5 (expected: at least one permit)");
  }

  @Test
  void costThatTheResponseStatesIsRefused() {
    assertThat(errors(yaml("limit: 9/m, candidate: 5/m, cost: {response-header: X-Cost}")))
        .containsExactly(
            "3:36: candidate: beside a cost that responses state (expected: a rule whose cost is"
                + " known before the response)");
  }

  @Test
  void candidateThatSaysNothingNewIsWarnedOf() throws Exception {
    assertThat(lint(yaml("limit: 9/m, candidate: {limit: 5/m, rollout: 100%}")))
        .containsExactly("3:36 redundant-candidate");
    assertThat(lint(yaml("limit: 9/m, candidate: 9/m")))
        .containsExactly("3:36 redundant-candidate");
    assertThat(
            TestRules.load(yaml("limit: 9/m, candidate: {limit: 5/m, rollout: 100%}")).warnings())
        .singleElement()
        .asString()
        .contains("r: the candidate is in force for all callers: make it the limit");
    assertThat(lint(yaml("limit: 9/m, candidate: {limit: 5/m, rollout: 99%}"))).isEmpty();
    assertThat(lint(yaml("limit: unlimited, candidate: 5/m"))).isEmpty();
  }

  @Test
  void candidateBelowTheCostIsWarnedOf() throws Exception {
    assertThat(lint(yaml("limit: 9/m, cost: 6, candidate: 5/m")))
        .containsExactly("3:36 burst-below-cost");
  }
}
