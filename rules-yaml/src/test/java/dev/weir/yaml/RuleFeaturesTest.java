package dev.weir.yaml;

import static dev.weir.yaml.TestRules.claimed;
import static dev.weir.yaml.TestRules.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.weir.http.HttpMeters.Event;
import dev.weir.rule.Match;
import dev.weir.rule.Rule.WhenStoreFails;
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
  void aShadowRuleCountsAndDeniesNobody() throws Exception {
    Match match = rule("limit: 1/s, shadow: true").match(GET, 0);
    assertThat(match.claims()).isEmpty();
    assertThat(match.shadows()).hasSize(1);
    assertThat(match.shadowRules()).extracting(Object::toString).containsExactly("a");
    assertThat(rule("limit: 1/s, shadow: false").match(GET, 0).claims()).hasSize(1);
  }

  @Test
  void aRolloutEnforcesItsShareOfCallersAndStaysWithThem() throws Exception {
    LiveRules quarter = rule("per: header X-Key, limit: 1/s, rollout: 25%");
    LiveRules half = rule("per: header X-Key, limit: 9/s, rollout: 50 %");
    Set<Integer> early = new HashSet<>();
    int late = 0;
    for (int caller = 0; caller < 10_000; caller++) {
      FakeRequest request = GET.with("X-Key", "caller-" + caller);
      Match match = quarter.match(request, 0);
      assertThat(match.claims().size() + match.shadows().size()).isEqualTo(1);
      if (!match.claims().isEmpty()) {
        early.add(caller);
        assertThat(quarter.match(request, 0).claims()).hasSize(1);
        assertThat(half.match(request, 0).claims())
            .as("whoever is in stays in when the share grows")
            .hasSize(1);
      }
      late += half.match(request, 0).claims().size();
    }
    assertThat(early.size()).isCloseTo(2_500, within(200));
    assertThat(late).isCloseTo(5_000, within(200));
  }

  @Test
  void rolloutsOfNothingAndEverythingAreExact() throws Exception {
    assertThat(rule("per: ip, limit: 1/s, rollout: 0%").match(GET, 0).claims()).isEmpty();
    assertThat(rule("per: ip, limit: 1/s, rollout: 100%").match(GET, 0).claims()).hasSize(1);
    assertThat(TestRules.load("rules: [{name: a, per: ip, limit: 1/s, rollout: 0.05%}]").book())
        .extracting(book -> book.rules().get(0).enforced())
        .isEqualTo(5);
  }

  @Test
  void aRequestCostsWhatItsRuleSays() throws Exception {
    assertThat(cost("cost: 5", GET)).isEqualTo(5);
    assertThat(cost("note: free", GET)).isEqualTo(1);
  }

  @Test
  void aHeaderTellsTheCostUpToACeilingAndNonsenseCostsTheCeiling() throws Exception {
    String told = "cost: {from: header X-Cost, max: 10, otherwise: 2}";
    assertThat(cost(told, GET)).isEqualTo(2);
    assertThat(cost(told, GET.with("X-Cost", "7"))).isEqualTo(7);
    for (String dear :
        List.of("11", "99999999999999999999999", "-1", "0", "1.5", "lots", "0x1", "١")) {
      assertThat(cost(told, GET.with("X-Cost", dear))).as(dear).isEqualTo(10);
    }
    assertThat(cost("cost: {from: header X-Cost, max: 10}", GET)).isEqualTo(1);
  }

  @Test
  void whatTheStoreNotAnsweringMeansIsUpToTheRule() throws Exception {
    for (WhenStoreFails way : WhenStoreFails.values()) {
      String word = way.name().toLowerCase(Locale.ROOT);
      assertThat(storeFails("limit: 1/s, when-store-fails: " + word)).isEqualTo(way);
    }
    assertThat(storeFails("limit: 1/s")).isEqualTo(WhenStoreFails.LOCAL);
  }

  private static WhenStoreFails storeFails(String rule) throws RulesRefused {
    return rule(rule).book().rules().get(0).whenStoreFails();
  }

  @Test
  void thoseWithoutTheIdentityShareACounterOrAreLeftOut() throws Exception {
    LiveRules share = rule("per: [header X-Key], limit: 1/s");
    assertThat(key(share.match(GET, 0))).isEqualTo(key(share.match(GET.from("10.0.0.1"), 0)));
    assertThat(key(share.match(GET, 0)))
        .as("an empty value is none, and gains nothing either")
        .isEqualTo(key(share.match(GET.with("X-Key", ""), 0)));
    assertThat(key(share.match(GET, 0)))
        .isNotEqualTo(key(share.match(GET.with("X-Key", "header X-Key"), 0)));
    LiveRules skip = rule("per: [ip, header X-Key], limit: 1/s, when-absent: skip");
    assertThat(skip.match(GET, 0).claims()).isEmpty();
    assertThat(skip.match(GET.with("X-Key", "k"), 0).claims()).hasSize(1);
  }

  @Test
  void anIdentityOfSeveralPartsNeedsAllOfThem() throws Exception {
    LiveRules rules =
        TestRules.live(
            """
            identity: {pair: {all: [header X-A, header X-B]}, who: [pair, ip]}
            rules: [{name: a, per: who, limit: 1/s}]
            """);
    var both = key(rules.match(GET.with("X-A", "1").with("X-B", "2"), 0));
    assertThat(key(rules.match(GET.with("X-A", "2").with("X-B", "1"), 0))).isNotEqualTo(both);
    assertThat(key(rules.match(GET.with("X-A", "1"), 0))).isEqualTo(key(rules.match(GET, 0)));
  }

  @Test
  void aVerifiedClaimTellsTheTierAndAnUnverifiedOneNothing() throws Exception {
    LiveRules rules =
        TestRules.live(
            """
            jwt: {secret-env: TOKEN_SECRET}
            tiers: {free: 1/s, pro: 9/s}
            rules: [{name: a, tier: jwt plan, default-tier: free}]
            """);
    assertThat(claimed(rules.match(asking(TestRules.SECRET, PRO), 0)))
        .containsExactly("a: TOKEN_BUCKET 9/PT1S burst 9");
    assertThat(claimed(rules.match(asking(TestRules.SECRET + "x", PRO), 0)))
        .containsExactly("a: TOKEN_BUCKET 1/PT1S burst 1");
  }

  @Test
  void aTokenWithoutExpiryIsBelievedOnlyWhereTheRulesSaySo() throws Exception {
    String rest =
        """
        tiers: {free: 1/s, pro: 9/s}
        rules: [{name: a, tier: jwt plan, default-tier: free}]
        """;
    FakeRequest endless = asking(TestRules.SECRET, "{\"plan\":\"pro\"}");
    String strict = "jwt: {secret-env: TOKEN_SECRET}\n" + rest;
    assertThat(claimed(TestRules.live(strict).match(endless, 0)))
        .as("strict if nothing is said")
        .containsExactly("a: TOKEN_BUCKET 1/PT1S burst 1");
    String lenient = "jwt: {secret-env: TOKEN_SECRET, require-expiry: false}\n" + rest;
    assertThat(claimed(TestRules.live(lenient).match(endless, 0)))
        .containsExactly("a: TOKEN_BUCKET 9/PT1S burst 9");
  }

  @Test
  void aTokenIsVerifiedOnlyIfARuleThatMatchesReadsIt() throws Exception {
    LiveRules rules =
        TestRules.live(
            """
            jwt: {secret-env: TOKEN_SECRET}
            rules:
              - {name: all, per: ip, limit: 9/s}
              - {name: posts, match: {method: POST, jwt: {plan: pro}}, limit: 9/s}
              - {name: a, match: {host: a.example}, per: jwt sub, limit: 9/s}
            """);
    FakeRequest request = asking(TestRules.SECRET, PRO);
    assertThat(rules.needsVerification(rules.read(request))).isFalse();
    assertThat(rules.match(request, 0).claims()).hasSize(1);
    var meters = rules.reader().meters();
    assertThat(meters.of(Event.JWT_CACHE_MISS)).isZero();
    FakeRequest other = request.at("a.example");
    assertThat(rules.needsVerification(rules.read(other))).isTrue();
    assertThat(rules.match(other, 0).claims()).hasSize(2);
    assertThat(meters.of(Event.JWT_CACHE_MISS)).isOne();
    assertThat(rules.needsVerification(rules.read(other))).as("it is known").isFalse();
  }

  private static FakeRequest asking(String secret, String claims) throws Exception {
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
  void aSecretThatIsTooShortIsRefused() {
    assertThat(TestRules.errors("jwt: {secret-env: SHORT_SECRET}\nrules: []\n"))
        .containsExactly("1:19: secret-env: SHORT_SECRET: secret: 5 bytes (expected: at least 32)");
  }

  private static LiveRules rule(String rule) throws RulesRefused {
    return TestRules.live("rules: [{name: a, " + rule + "}]\n");
  }

  private static long cost(String cost, FakeRequest request) throws RulesRefused {
    return rule("limit: 100/s, " + cost).match(request, 0).claims().get(0).cost();
  }
}
