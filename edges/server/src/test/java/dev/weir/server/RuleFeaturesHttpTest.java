package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.HashSet;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

/** The features of rules over HTTP. */
class RuleFeaturesHttpTest {
  private static final String HS256 = "{\"alg\":\"HS256\"}";

  @Test
  void validTokenCountsForItsSubjectAndInvalidTokenCountsAsNone() {
    try (TestServer served =
        TestServer.at(
            """
            jwt: {secret-env: JWT_SECRET}
            rules: [{name: each, per: jwt sub, limit: 2/hour}]
            """,
            InstantSource.fixed(Instant.now()))) {
      assertThat(asking(served, token(HS256, "ann", 60))).isEqualTo(200);
      assertThat(asking(served, token(HS256, "ann", 90))).isEqualTo(200);
      assertThat(asking(served, token(HS256, "ann", 60))).isEqualTo(429);
      assertThat(asking(served, token(HS256, "bob", 60))).isEqualTo(200);

      // Callers without a subject share one counter of two.
      String unsigned = token("{\"alg\":\"none\"}", "carol", 60);
      assertThat(asking(served, unsigned.substring(0, unsigned.lastIndexOf('.') + 1)))
          .isEqualTo(200);
      assertThat(asking(served, token(HS256, "dave", -3_600))).isEqualTo(200);
      assertThat(asking(served, token(HS256, "erin", 60) + "x")).isEqualTo(429);
      assertThat(served.get("/v1/check/").statusCode()).isEqualTo(429);
    }
  }

  private static int asking(TestServer served, String token) {
    return served.get("/v1/check/", "Authorization", "Bearer " + token).statusCode();
  }

  /** A token signed with the secret, whatever its header says. */
  private static String token(String header, String subject, long secondsLeft) {
    long expiry = Instant.now().getEpochSecond() + secondsLeft;
    String claims = "{\"sub\":\"" + subject + "\",\"exp\":" + expiry + "}";
    String signed = base64(bytes(header)) + "." + base64(bytes(claims));
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(bytes(TestServer.SECRET), "HmacSHA256"));
      return signed + "." + base64(mac.doFinal(bytes(signed)));
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String base64(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  @Test
  void planHeaderSelectsTheLimit() {
    try (TestServer served =
        TestServer.with(
            """
            trusted-proxies: [127.0.0.1/32]
            identity: {key: header X-Key}
            tiers: {free: 2/hour, pro: 50/hour, partner: unlimited, closed: blocked}
            rules:
              - {name: plan, per: key, tier: trusted-header X-Plan, default-tier: free}
            """)) {
      assertThat(limit(served, "X-Key", "a", "X-Plan", "free")).isEqualTo("2");
      assertThat(limit(served, "X-Key", "b", "X-Plan", "pro")).isEqualTo("50");
      assertThat(limit(served, "X-Key", "c")).isEqualTo("2");
      assertThat(limit(served, "X-Key", "d", "X-Plan", "unheard-of")).isEqualTo("2");
      var partner = served.get("/v1/check/", "X-Key", "e", "X-Plan", "partner");
      assertThat(partner.statusCode()).isEqualTo(200);
      assertThat(partner.headers().firstValue("X-RateLimit-Limit")).isEmpty();
      assertThat(served.get("/v1/check/", "X-Key", "f", "X-Plan", "closed").statusCode())
          .isEqualTo(429);
    }
  }

  private static String limit(TestServer served, String... headers) {
    return CheckTest.header(served.get("/v1/check/", headers), "X-RateLimit-Limit");
  }

  @Test
  void overrideAppliesOnlyToItsCaller() {
    try (TestServer served =
        TestServer.with(
            """
            identity: {key: header X-Key}
            rules:
              - {name: each, per: key, limit: 1/hour, overrides: {acme: 3/hour}}
            """)) {
      assertThat(passes(served, "acme", 5)).isEqualTo(3);
      assertThat(passes(served, "globex", 5)).isEqualTo(1);
    }
  }

  private static int passes(TestServer served, String key, int times) {
    int passed = 0;
    for (int i = 0; i < times; i++) {
      passed += served.get("/v1/check/", "X-Key", key).statusCode() == 200 ? 1 : 0;
    }
    return passed;
  }

  @Test
  void shadowRuleDeniesNoRequestAndCountsThoseItWouldDeny() {
    try (TestServer served =
        TestServer.with(
            """
            identity: {key: header X-Key}
            rules: [{name: trial, per: key, limit: 2/hour, shadow: true}]
            """)) {
      assertThat(passes(served, "acme", 5)).isEqualTo(5);
      String metrics = served.admin("GET", "/metrics", "").body();
      assertThat(metrics)
          .contains("weir_decisions_total{outcome=\"shadow-denied\",rule=\"trial\"} 3.0")
          .contains("weir_decisions_total{outcome=\"allowed\",rule=\"trial\"} 2.0")
          .contains("weir_decisions_total{outcome=\"denied\",rule=\"trial\"} 0.0")
          .doesNotContain("acme");
    }
  }

  @Test
  void rolloutOfHalfEnforcesForAStableHalfOfCallers() {
    try (TestServer served =
        TestServer.with(
            """
            identity: {key: header X-Key}
            rules: [{name: careful, per: key, limit: 1/day, rollout: 50%}]
            """)) {
      assertThat(denied(served)).isEmpty();
      Set<Integer> second = denied(served);
      assertThat(second).hasSizeBetween(60, 140);
      assertThat(denied(served)).isEqualTo(second);
    }
  }

  private static Set<Integer> denied(TestServer served) {
    Set<Integer> denied = new HashSet<>();
    for (int caller = 0; caller < 200; caller++) {
      if (served.get("/v1/check/", "X-Key", "caller-" + caller).statusCode() == 429) {
        denied.add(caller);
      }
    }
    return denied;
  }
}
