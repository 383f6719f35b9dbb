package dev.weir.rules;

import static dev.weir.rules.TestRules.key;
import static dev.weir.rules.TestRules.limitsOf;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Overrides that are a multiple of what a caller is allowed otherwise. */
class MultiplesTest {
  private static final FakeRequest GET = FakeRequest.get("/");
  private static final FakeRequest ACME = GET.with("X-Key", "acme");
  private static final FakeRequest GLOBEX = GET.with("X-Key", "globex");

  private static RulesSnapshot rule(String rule) throws RulesRejected {
    return TestRules.snapshot("rules:\n  - {name: a, per: header X-Key, " + rule + "}\n");
  }

  private static List<String> limits(RulesSnapshot rules, FakeRequest request) {
    return limitsOf(rules.match(request, 1)).stream().map(one -> one.substring(3)).toList();
  }

  @Test
  void multipleAppliesToPermitsAndBurstAndKeepsTheWindow() throws Exception {
    RulesSnapshot rules = rule("limit: 10/second, burst: 25, overrides: {acme: 10x, globex: 0.5x}");
    assertThat(limits(rules, ACME)).containsExactly("TOKEN_BUCKET 100/PT1S burst 250");
    assertThat(limits(rules, GLOBEX)).containsExactly("TOKEN_BUCKET 5/PT1S burst 12");
    assertThat(limits(rules, GET)).containsExactly("TOKEN_BUCKET 10/PT1S burst 25");
  }

  @Test
  void multipleAppliesToLimitsOfEveryAlgorithm() throws Exception {
    RulesSnapshot rules =
        rule(
            "limit: [{limit: 3/s, algorithm: leaky-bucket, queue: 5},"
                + " {limit: 5/m, algorithm: sliding-log}, {limit: 7/h, algorithm: sliding-counter},"
                + " {limit: 9/d, algorithm: fixed-window}, 11/month in Asia/Tokyo],"
                + " concurrent: 3, overrides: {acme: 1.5 X}");
    assertThat(limits(rules, ACME))
        .containsExactly(
            "LEAKY_BUCKET 4/PT1S queue 7",
            "SLIDING_LOG 7/PT1M",
            "CONCURRENCY 4/PT1M",
            "SLIDING_COUNTER 10/PT1H",
            "FIXED_WINDOW 13/PT24H",
            "FIXED_WINDOW 16/month in Asia/Tokyo");
  }

  @Test
  void multipleRoundsDownAndKeepsABurstOfOne() throws Exception {
    RulesSnapshot rules =
        rule("limit: 10/s, burst: 1, overrides: {acme: 0.19x, globex: 0.999999x}");
    assertThat(limits(rules, ACME)).containsExactly("TOKEN_BUCKET 1/PT1S burst 1");
    assertThat(limits(rules, GLOBEX)).containsExactly("TOKEN_BUCKET 9/PT1S burst 1");
  }

  @Test
  void multipleAppliesToTheTierOfTheRequest() throws Exception {
    RulesSnapshot rules =
        TestRules.snapshot(
            """
            trusted-proxies: 203.0.113.7
            tiers: {free: [1/s, 60/h], pro: {limit: 10/s, burst: 20}, all: unlimited, none: blocked}
            rules:
              - name: a
                per: header X-Key
                tier: trusted-header X-Plan
                default-tier: free
                overrides: {acme: 10x}
            """);
    assertThat(limits(rules, ACME))
        .containsExactly("TOKEN_BUCKET 10/PT1S burst 10", "TOKEN_BUCKET 600/PT1H burst 600");
    assertThat(limits(rules, ACME.with("X-Plan", "pro")))
        .containsExactly("TOKEN_BUCKET 100/PT1S burst 200");
    assertThat(limits(rules, ACME.with("X-Plan", "all"))).isEmpty();
    assertThat(rules.match(ACME.with("X-Plan", "none"), 0).blockedBy()).isPresent();
    assertThat(limits(rules, GLOBEX.with("X-Plan", "pro")))
        .containsExactly("TOKEN_BUCKET 10/PT1S burst 20");
  }

  @Test
  void multipleAppliesToTheTierInTheTableAndNotToAnotherOverride() throws Exception {
    RulesSnapshot rules =
        TestRules.snapshot(
            """
            identity: {caller: [header X-Key, ip]}
            tiers: {free: 1/s, pro: 10/s}
            rules:
              - name: a
                per: caller
                tier: {acme: pro, 10.1.0.0/16: pro}
                default-tier: free
                overrides:
                  - {for: {caller: [acme, globex]}, limit: 3x}
                  - {for: {caller: 10.0.0.0/8}, limit: 2x}
                  - {for: {caller: [acme, 10.1.0.0/16]}, limit: 1000/s}
            """);
    assertThat(limits(rules, ACME)).containsExactly("TOKEN_BUCKET 30/PT1S burst 30");
    assertThat(limits(rules, GLOBEX)).containsExactly("TOKEN_BUCKET 3/PT1S burst 3");
    assertThat(limits(rules, GET.from("10.1.2.3")))
        .containsExactly("TOKEN_BUCKET 20/PT1S burst 20");
    assertThat(limits(rules, GET.from("10.9.2.3"))).containsExactly("TOKEN_BUCKET 2/PT1S burst 2");
  }

  @Test
  void callerKeepsItsCounterWhenItsMultipleChanges() throws Exception {
    RulesSnapshot before = rule("limit: 10/s, overrides: {acme: 10x}");
    RulesSnapshot after = rule("limit: 10/s, overrides: {acme: 20x}");
    RulesSnapshot without = rule("limit: 10/s");
    assertThat(key(after.match(ACME, 0)))
        .isEqualTo(key(before.match(ACME, 0)))
        .isEqualTo(key(without.match(ACME, 0)));
  }

  @Test
  void multipliedLimitIsLintedLikeAnyOther() throws Exception {
    String rule =
        "rules:\n  - {name: a, per: ip, limit: 10/s, cost: 5, overrides: {10.0.0.1: %s}}\n";
    assertThat(TestRules.lint(rule.formatted("0.3x"))).containsExactly("2:37 burst-below-cost");
    assertThat(TestRules.lint(rule.formatted("0.5x"))).isEmpty();
  }

  @Test
  void combinationsOfMultiplesAndTiersAreBounded() {
    StringBuilder yaml = new StringBuilder("tiers:\n");
    for (int i = 0; i < 1_000; i++) {
      yaml.append("  t").append(i).append(": 10/s\n");
    }
    yaml.append("rules:\n  - name: a\n    per: ip\n    tier: header X\n    default-tier: t0\n");
    yaml.append("    overrides:\n");
    for (int i = 1; i <= 11; i++) {
      yaml.append("      10.0.0.").append(i).append(": ").append(i).append("x\n");
    }
    assertThat(TestRules.errors(yaml.toString()))
        .singleElement()
        .asString()
        .endsWith("11000 combinations of a multiple and a tier (expected: at most 10000)");
  }
}
