package dev.weir.rules;

import static dev.weir.rules.TestRules.key;
import static dev.weir.rules.TestRules.limitsOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.weir.http.HttpMeters.Event;
import dev.weir.rule.FailureMode;
import dev.weir.rule.book.Match;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

class RuleFeaturesTest {
  private static final FakeRequest GET = FakeRequest.get("/");

  /** Claims that end in the year 2100. */
  private static final String PRO = "{\"plan\":\"pro\",\"exp\":4102444800}";

  @Test
  void shadowRuleCountsWithoutDenying() throws Exception {
    Match match = rule("limit: 1/s, shadow: true").match(GET, 0);
    assertThat(match.claims()).isEmpty();
    assertThat(match.shadows()).hasSize(1);
    assertThat(match.shadows()).extracting(charge -> charge.rule().name()).containsExactly("a");
    assertThat(rule("limit: 1/s, shadow: false").match(GET, 0).claims()).hasSize(1);
  }

  @Test
  void rolloutEnforcesAStableShareOfCallers() throws Exception {
    RulesSnapshot quarter = rule("per: header X-Key, limit: 1/s, rollout: 25%");
    RulesSnapshot half = rule("per: header X-Key, limit: 9/s, rollout: 50 %");
    Set<Integer> enforced = new HashSet<>();
    int enforcedOfHalf = 0;
    for (int caller = 0; caller < 10_000; caller++) {
      FakeRequest request = GET.with("X-Key", "caller-" + caller);
      Match match = quarter.match(request, 0);
      assertThat(match.claims().size() + match.shadows().size()).isEqualTo(1);
      if (!match.claims().isEmpty()) {
        enforced.add(caller);
        assertThat(quarter.match(request, 0).claims()).hasSize(1);
        assertThat(half.match(request, 0).claims())
            .as("a caller in the share stays in it when the share grows")
            .hasSize(1);
      }
      enforcedOfHalf += half.match(request, 0).claims().size();
    }
    assertThat(enforced.size()).isCloseTo(2_500, within(200));
    assertThat(enforcedOfHalf).isCloseTo(5_000, within(200));
  }

  @Test
  void rolloutsOf0And100PercentAreExact() throws Exception {
    assertThat(rule("per: ip, limit: 1/s, rollout: 0%").match(GET, 0).claims()).isEmpty();
    assertThat(rule("per: ip, limit: 1/s, rollout: 100%").match(GET, 0).claims()).hasSize(1);
    assertThat(TestRules.load("rules: [{name: a, per: ip, limit: 1/s, rollout: 0.05%}]").book())
        .extracting(book -> book.rules().get(0).enforced())
        .isEqualTo(5);
  }

  @Test
  void costOfARequestIsThatOfItsRule() throws Exception {
    assertThat(cost("cost: 5", GET)).isEqualTo(5);
    assertThat(cost("note: free", GET)).isEqualTo(1);
  }

  @Test
  void costFromAHeaderIsBoundedAndInvalidValuesCostTheMaximum() throws Exception {
    String fromHeader = "cost: {from: header X-Cost, max: 10, otherwise: 2}";
    assertThat(cost(fromHeader, GET)).isEqualTo(2);
    assertThat(cost(fromHeader, GET.with("X-Cost", "7"))).isEqualTo(7);
    for (String invalid :
        List.of("11", "99999999999999999999999", "-1", "0", "1.5", "lots", "0x1", "١")) {
      assertThat(cost(fromHeader, GET.with("X-Cost", invalid))).as(invalid).isEqualTo(10);
    }
    assertThat(cost("cost: {from: header X-Cost, max: 10}", GET)).isEqualTo(1);
  }

  @Test
  void whenStoreFailsIsConfiguredByRule() throws Exception {
    for (FailureMode choice : FailureMode.values()) {
      String word = choice.name().toLowerCase(Locale.ROOT);
      assertThat(storeFails("limit: 1/s, when-store-fails: " + word)).isEqualTo(choice);
    }
    assertThat(storeFails("limit: 1/s")).isEqualTo(FailureMode.LOCAL);
  }

  private static FailureMode storeFails(String rule) throws RulesRejected {
    return rule(rule).book().rules().get(0).failureMode();
  }

  @Test
  void callersWithoutTheIdentityShareACounterOrAreSkipped() throws Exception {
    RulesSnapshot share = rule("per: [header X-Key], limit: 1/s");
    assertThat(key(share.match(GET, 0))).isEqualTo(key(share.match(GET.from("10.0.0.1"), 0)));
    assertThat(key(share.match(GET, 0)))
        .as("an empty value counts as absent")
        .isEqualTo(key(share.match(GET.with("X-Key", ""), 0)));
    assertThat(key(share.match(GET, 0)))
        .isNotEqualTo(key(share.match(GET.with("X-Key", "header X-Key"), 0)));
    RulesSnapshot skip = rule("per: [ip, header X-Key], limit: 1/s, when-absent: skip");
    assertThat(skip.match(GET, 0).claims()).isEmpty();
    assertThat(skip.match(GET.with("X-Key", "k"), 0).claims()).hasSize(1);
  }

  @Test
  void identityOfSeveralValuesNeedsAllOfThem() throws Exception {
    RulesSnapshot rules =
        TestRules.snapshot(
            """
            identity: {pair: {all: [header X-A, header X-B]}, who: [pair, ip]}
            rules: [{name: a, per: who, limit: 1/s}]
            """);
    var both = key(rules.match(GET.with("X-A", "1").with("X-B", "2"), 0));
    assertThat(key(rules.match(GET.with("X-A", "2").with("X-B", "1"), 0))).isNotEqualTo(both);
    assertThat(key(rules.match(GET.with("X-A", "1"), 0))).isEqualTo(key(rules.match(GET, 0)));
  }

  @Test
  void verifiedClaimSelectsTheTierAndAnUnverifiedOneDoesNot() throws Exception {
    RulesSnapshot rules =
        TestRules.snapshot(
            """
            jwt: {secret-env: TOKEN_SECRET}
            tiers: {free: 1/s, pro: 9/s}
            rules: [{name: a, tier: jwt plan, default-tier: free}]
            """);
    assertThat(limitsOf(rules.match(requestWithToken(TestRules.SECRET, PRO), 0)))
        .containsExactly("a: TOKEN_BUCKET 9/PT1S burst 9");
    assertThat(limitsOf(rules.match(requestWithToken(TestRules.SECRET + "x", PRO), 0)))
        .containsExactly("a: TOKEN_BUCKET 1/PT1S burst 1");
  }

  @Test
  void tokenWithoutExpiryIsTrustedOnlyIfConfigured() throws Exception {
    String rest =
        """
        tiers: {free: 1/s, pro: 9/s}
        rules: [{name: a, tier: jwt plan, default-tier: free}]
        """;
    FakeRequest endless = requestWithToken(TestRules.SECRET, "{\"plan\":\"pro\"}");
    String strict = "jwt: {secret-env: TOKEN_SECRET}\n" + rest;
    assertThat(limitsOf(TestRules.snapshot(strict).match(endless, 0)))
        .as("strict by default")
        .containsExactly("a: TOKEN_BUCKET 1/PT1S burst 1");
    String lenient = "jwt: {secret-env: TOKEN_SECRET, require-expiry: false}\n" + rest;
    assertThat(limitsOf(TestRules.snapshot(lenient).match(endless, 0)))
        .containsExactly("a: TOKEN_BUCKET 9/PT1S burst 9");
  }

  @Test
  void tokenIsVerifiedOnlyIfAMatchingRuleReadsIt() throws Exception {
    RulesSnapshot rules =
        TestRules.snapshot(
            """
            jwt: {secret-env: TOKEN_SECRET}
            rules:
              - {name: all, per: ip, limit: 9/s}
              - {name: posts, match: {method: POST, jwt: {plan: pro}}, limit: 9/s}
              - {name: a, match: {host: a.example}, per: jwt sub, limit: 9/s}
            """);
    FakeRequest request = requestWithToken(TestRules.SECRET, PRO);
    assertThat(rules.needsVerification(rules.read(request))).isFalse();
    assertThat(rules.match(request, 0).claims()).hasSize(1);
    var meters = rules.reader().meters();
    assertThat(meters.of(Event.JWT_CACHE_MISS)).isZero();
    FakeRequest other = request.at("a.example");
    assertThat(rules.needsVerification(rules.read(other))).isTrue();
    assertThat(rules.match(other, 0).claims()).hasSize(2);
    assertThat(meters.of(Event.JWT_CACHE_MISS)).isOne();
    assertThat(rules.needsVerification(rules.read(other))).as("it is in the cache").isFalse();
  }

  private static FakeRequest requestWithToken(String secret, String claims) throws Exception {
    var base64 = Base64.getUrlEncoder().withoutPadding();
    String signed =
        base64.encodeToString("{\"alg\":\"HS256\"}".getBytes(StandardCharsets.UTF_8))
            + "."
            + base64.encodeToString(claims.getBytes(StandardCharsets.UTF_8));
    var mac = Mac.getInstance("HmacSHA256");
    byte[] key = secret.getBytes(StandardCharsets.UTF_8);
    mac.init(new SecretKeySpec(key, "HmacSHA256"));
    byte[] signature = mac.doFinal(signed.getBytes(StandardCharsets.UTF_8));
    String token = signed + "." + base64.encodeToString(signature);
    return GET.with("Authorization", "Bearer " + token);
  }

  @Test
  void tooShortSecretIsRefused() {
    assertThat(TestRules.errors("jwt: {secret-env: SHORT_SECRET}\nrules: []\n"))
        .containsExactly("1:19: secret-env: SHORT_SECRET: secret: 5 bytes (expected: at least 32)");
  }

  private static RulesSnapshot rule(String rule) throws RulesRejected {
    return TestRules.snapshot("rules: [{name: a, " + rule + "}]\n");
  }

  private static long cost(String cost, FakeRequest request) throws RulesRejected {
    return rule("limit: 100/s, " + cost).match(request, 0).claims().get(0).cost();
  }
}
