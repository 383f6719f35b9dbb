package dev.weir.rules;

import static dev.weir.rules.TestRules.key;
import static dev.weir.rules.TestRules.keys;
import static dev.weir.rules.TestRules.limitsOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.LimitKey;
import dev.weir.rule.FailureMode;
import dev.weir.rule.book.Match;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SampleRulesTest {
  private RulesSnapshot rules;

  @SuppressWarnings("NullAway.Init")
  SampleRulesTest() {}

  @BeforeEach
  void load() throws Exception {
    rules = TestRules.snapshot(TestRules.sample());
  }

  @Test
  void sampleIsWarnedOfForgeableKeysAndOfConcurrency() throws Exception {
    assertThat(TestRules.lint(TestRules.sample()))
        .containsExactly(
            "15:5 forgeable-key", // plan: any API key, a counter each
            "16:5 forgeable-key", // plan: any tier a client sends
            "20:5 forgeable-key", // ride-request
            "31:5 forgeable-key", // trip-history
            "45:5 forgeable-key", // exports: any tenant
            "46:5 needs-release"); // exports: not for gateways that only check
  }

  @Test
  void everyRequestCountsForTheWholeSiteAndThePlan() {
    assertThat(limitsOf(rules.match(FakeRequest.get("/elsewhere"), 0)))
        .containsExactly(
            "whole-site: TOKEN_BUCKET 12000/PT1S burst 12000",
            "plan: TOKEN_BUCKET 100/PT1M burst 100",
            "plan: TOKEN_BUCKET 1000/PT1H burst 1000");
  }

  @Test
  void headerSelectsThePlanAndAnUnknownOneIsFree() {
    FakeRequest request = FakeRequest.get("/elsewhere");
    assertThat(limitsOf(rules.match(request.with("X-Plan", "enterprise"), 0)))
        .containsExactly(
            "whole-site: TOKEN_BUCKET 12000/PT1S burst 12000",
            "plan: TOKEN_BUCKET 10000/PT1M burst 10000");
    assertThat(limitsOf(rules.match(request.with("X-Plan", "pro"), 0)))
        .contains("plan: TOKEN_BUCKET 50000/PT1H burst 50000");
    assertThat(limitsOf(rules.match(request.with("X-Plan", "platinum"), 0)))
        .contains("plan: TOKEN_BUCKET 100/PT1M burst 100");
  }

  @Test
  void loginIsCountedByAddressWithASlidingLogThatFailsClosed() {
    Match match = rules.match(FakeRequest.post("/login"), 0);
    assertThat(limitsOf(match)).contains("login: SLIDING_LOG 5/PT1M");
    assertThat(match.charges().get(3).rule().failureMode()).isEqualTo(FailureMode.DENY);
    LimitKey key = keys(match).get(3);
    assertThat(keys(rules.match(FakeRequest.post("/login").with("X-API-Key", "other"), 0)).get(3))
        .as("whatever else the client sends")
        .isEqualTo(key);
    assertThat(keys(rules.match(FakeRequest.post("/login").from("203.0.113.8"), 0)).get(3))
        .as("another address")
        .isNotEqualTo(key);
    assertThat(limitsOf(rules.match(FakeRequest.get("/login"), 0)))
        .as("only what is posted")
        .noneMatch(claim -> claim.startsWith("login"));
  }

  @Test
  void callerIsIdentifiedByKeyElseUserElseAddress() {
    FakeRequest request = FakeRequest.post("/api/rides/request");
    LimitKey byAddress = keys(rules.match(request, 0)).get(3);
    LimitKey byUser = keys(rules.match(request.with("X-User-Id", "u"), 0)).get(3);
    LimitKey byKey = keys(rules.match(request.with("X-API-Key", "u"), 0)).get(3);
    LimitKey byBoth =
        keys(rules.match(request.with("X-API-Key", "u").with("X-User-Id", "v"), 0)).get(3);
    assertThat(List.of(byAddress, byUser, byKey)).doesNotHaveDuplicates();
    assertThat(byBoth).isEqualTo(byKey);
    assertThat(limitsOf(rules.match(request, 0)))
        .contains("ride-request: TOKEN_BUCKET 10/PT1S burst 20");
  }

  @Test
  void eachRuleUsesItsOwnAlgorithm() {
    assertThat(limitsOf(rules.match(FakeRequest.get("/api/trips/history"), 0)))
        .contains("trip-history: SLIDING_COUNTER 60/PT1M");
    assertThat(limitsOf(rules.match(FakeRequest.get("/api/admin/zones/7"), 0)))
        .contains("zone-stats: FIXED_WINDOW 30/PT1M");
    assertThat(limitsOf(rules.match(FakeRequest.get("/api/drivers/location"), 0)))
        .contains("driver-location: LEAKY_BUCKET 3000/PT1S queue 5000");
  }

  @Test
  void exportsAreCountedOnlyForRequestsWithAPermit() {
    FakeRequest request = FakeRequest.get("/api/exports/1").with("X-Tenant", "acme");
    assertThat(limitsOf(rules.match(request, 0))).noneMatch(claim -> claim.startsWith("exports"));
    Match match = rules.match(request, 77);
    assertThat(limitsOf(match)).contains("exports: CONCURRENCY 20/PT1M");
    assertThat(match.claims().get(3).holder()).isEqualTo(77);
    assertThat(match.claims().get(0).holder()).isZero();
  }

  @Test
  void forwardedAddressIsReadFromTrustedProxiesOnly() throws Exception {
    RulesSnapshot one =
        TestRules.snapshot(
            "trusted-proxies: [127.0.0.1/32]\nrules: [{name: a, per: ip, limit: 1/second}]\n");
    LimitKey direct = key(one.match(FakeRequest.get("/"), 0));
    FakeRequest forwarded = FakeRequest.get("/").with("X-Forwarded-For", "203.0.113.7");
    assertThat(key(one.match(forwarded.from("127.0.0.1"), 0))).isEqualTo(direct);
    assertThat(key(one.match(forwarded.from("198.51.100.1"), 0))).isNotEqualTo(direct);
  }
}
