package dev.weir.rules;

import static dev.weir.rules.TestRules.limitsOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Exceptions for certain callers: overrides, allow and block. */
class CallerOverridesTest {
  private static final String CALLER =
      "identity: {key: header X-Key, user: header X-User, caller: [key, user, ip]}\n";
  private static final FakeRequest GET = FakeRequest.get("/");

  @Test
  void overrideMatchesACallerByAnyAlternative() throws Exception {
    RulesSnapshot rules = rules("per: caller, limit: 1/s, overrides: {acme: 100/second}");
    assertThat(limits(rules, GET.with("X-Key", "acme")))
        .isEqualTo("TOKEN_BUCKET 100/PT1S burst 100");
    assertThat(limits(rules, GET.with("X-User", "acme")))
        .isEqualTo("TOKEN_BUCKET 100/PT1S burst 100");
    assertThat(limits(rules, GET.with("X-Key", "acme2"))).isEqualTo("TOKEN_BUCKET 1/PT1S burst 1");
    assertThat(limits(rules, GET.with("X-Key", "b").with("X-User", "acme")))
        .as("a caller identified by key b is not user acme")
        .isEqualTo("TOKEN_BUCKET 1/PT1S burst 1");
  }

  @Test
  void overrideMayHaveOptionsOfItsOwn() throws Exception {
    RulesSnapshot rules =
        rules(
            "per: caller, limit: 1/s, algorithm: sliding-log, overrides: {a: 2/s,"
                + " b: {limit: 3/s, algorithm: token-bucket, burst: 9}, c: [4/s, 50/m], d: unlimited,"
                + " e: {concurrent: 5}}");
    assertThat(limits(rules, GET.with("X-Key", "a"))).isEqualTo("SLIDING_LOG 2/PT1S");
    assertThat(limits(rules, GET.with("X-Key", "b"))).isEqualTo("TOKEN_BUCKET 3/PT1S burst 9");
    assertThat(limits(rules, GET.with("X-Key", "c")))
        .isEqualTo("SLIDING_LOG 4/PT1S, SLIDING_LOG 50/PT1M");
    assertThat(limits(rules, GET.with("X-Key", "d"))).isEmpty();
    assertThat(limits(rules, GET.with("X-Key", "e"))).isEqualTo("CONCURRENCY 5/PT1M");
  }

  @Test
  void overrideForANetworkMatchesItsAddresses() throws Exception {
    RulesSnapshot rules =
        rules("per: ip, limit: 1/s, overrides: {10.0.0.0/8: 5/s, \"2001:db8::/32\": 6/s}");
    assertThat(limits(rules, GET.from("10.9.8.7"))).isEqualTo("TOKEN_BUCKET 5/PT1S burst 5");
    assertThat(limits(rules, GET.from("::ffff:10.9.8.7"))).isEqualTo("TOKEN_BUCKET 5/PT1S burst 5");
    assertThat(limits(rules, GET.from("2001:db8:1::1"))).isEqualTo("TOKEN_BUCKET 6/PT1S burst 6");
    assertThat(limits(rules, GET.from("11.0.0.1"))).isEqualTo("TOKEN_BUCKET 1/PT1S burst 1");
  }

  @Test
  void overrideForSeveralPartsMatchesIfAllOfThemDo() throws Exception {
    RulesSnapshot rules =
        rules(
            "per: [caller, path], limit: 1/s, overrides: [{for: {caller: acme, path: /a}, limit: 9/s},"
                + " {for: {caller: [acme, 10.0.0.0/8]}, limit: 5/s, burst: 7}]");
    FakeRequest acme = FakeRequest.get("/a").with("X-Key", "acme");
    assertThat(limits(rules, acme)).isEqualTo("TOKEN_BUCKET 9/PT1S burst 9");
    assertThat(limits(rules, GET.with("X-Key", "acme"))).isEqualTo("TOKEN_BUCKET 5/PT1S burst 7");
    assertThat(limits(rules, GET.from("10.1.1.1"))).isEqualTo("TOKEN_BUCKET 5/PT1S burst 7");
    assertThat(limits(rules, FakeRequest.get("/a"))).isEqualTo("TOKEN_BUCKET 1/PT1S burst 1");
  }

  @Test
  void blockTakesPrecedenceOverAllowAndAllowOverOverrides() throws Exception {
    RulesSnapshot rules =
        rules(
            "per: caller, limit: 1/s, overrides: {a: 5/s, b: 5/s}, allow: [a, b], block: [a,"
                + " 10.0.0.0/8]");
    assertThat(rules.match(GET.with("X-Key", "a"), 0).blockedBy()).isPresent();
    assertThat(rules.match(GET.from("10.1.2.3"), 0).blockedBy()).isPresent();
    assertThat(rules.match(GET.with("X-Key", "b"), 0).blockedBy()).isEmpty();
    assertThat(limits(rules, GET.with("X-Key", "b"))).isEmpty();
    assertThat(limits(rules, GET.with("X-Key", "c"))).isNotEmpty();
  }

  @Test
  void apiKeyThatLooksLikeAnAddressDoesNotMatchTheAddress() throws Exception {
    RulesSnapshot rules = rules("per: caller, limit: 1/s, allow: [10.0.0.1, 10.2.0.0/16]");
    assertThat(limits(rules, GET.from("10.0.0.1"))).isEmpty();
    for (String key : new String[] {"10.0.0.1", "10.2.0.0/16", "10.2.3.4"}) {
      assertThat(limits(rules, GET.with("X-Key", key))).as(key).isNotEmpty();
    }
    assertThat(limits(rules, GET.from("10.0.0.1").with("X-Key", "k")))
        .as("a caller identified by a key is not identified by its address")
        .isNotEmpty();
  }

  /** Otherwise any client that sends an API key of that name would be unlimited. */
  @Test
  void nameOfOneAlternativeMatchesOnlyCallersIdentifiedByIt() throws Exception {
    RulesSnapshot rules =
        rules(
            "per: caller, limit: 1/s, allow: [{user: [ops, dev]}, {header X-Key: k}, {ip: 10.0.0.0/8}],"
                + " block: {user: mallory}, overrides: [{for: {user: acme}, limit: 9/s}]");
    for (String user : new String[] {"ops", "dev"}) {
      assertThat(limits(rules, GET.with("X-User", user))).isEmpty();
      assertThat(limits(rules, GET.with("X-Key", user))).isNotEmpty();
    }
    assertThat(limits(rules, GET.with("X-Key", "k"))).isEmpty();
    assertThat(limits(rules, GET.with("X-User", "k"))).isNotEmpty();
    assertThat(limits(rules, GET.from("10.1.2.3"))).isEmpty();
    assertThat(limits(rules, GET.with("X-User", "acme"))).isEqualTo("TOKEN_BUCKET 9/PT1S burst 9");
    assertThat(limits(rules, GET.with("X-Key", "acme"))).isEqualTo("TOKEN_BUCKET 1/PT1S burst 1");
    assertThat(rules.match(GET.with("X-User", "mallory"), 0).blockedBy()).isPresent();
    assertThat(rules.match(GET.with("X-Key", "mallory"), 0).blockedBy()).isEmpty();
  }

  @Test
  void allowMayNameSeveralPartsOfPer() throws Exception {
    RulesSnapshot rules =
        rules("per: [caller, path], limit: 1/s, allow: [{user: ops, path: [/a, /b]}, {path: /c}]");
    FakeRequest ops = FakeRequest.get("/a").with("X-User", "ops");
    assertThat(limits(rules, ops)).isEmpty();
    assertThat(limits(rules, FakeRequest.get("/a").with("X-Key", "ops"))).isNotEmpty();
    assertThat(limits(rules, FakeRequest.get("/d").with("X-User", "ops"))).isNotEmpty();
    assertThat(limits(rules, FakeRequest.get("/c"))).isEmpty();
  }

  @Test
  void tierTableMayNameTheAlternative() throws Exception {
    String yaml =
        CALLER
            + "tiers: {free: 1/s, pro: 9/s}\n"
            + "rules:\n  - {name: a, per: caller, default-tier: free,"
            + " tier: {user: {acme: pro}, globex: pro}}\n";
    RulesSnapshot rules = TestRules.snapshot(yaml);
    assertThat(limits(rules, GET.with("X-User", "acme"))).isEqualTo("TOKEN_BUCKET 9/PT1S burst 9");
    assertThat(limits(rules, GET.with("X-Key", "acme"))).isEqualTo("TOKEN_BUCKET 1/PT1S burst 1");
    assertThat(limits(rules, GET.with("X-Key", "globex"))).isEqualTo("TOKEN_BUCKET 9/PT1S burst 9");
  }

  @Test
  void malformedAddressIsRefusedInsteadOfReadAsAName() {
    for (String almost :
        List.of("10.0.0/8", "010.0.0.1", "192.168.1.0-192.168.1.9", "10.", "1:2:3", "1.2.3.4.5")) {
      assertThatCode(() -> rules("per: caller, limit: 1/s, allow: ['" + almost + "']"))
          .hasMessageContaining(
              "allow: " + almost + " (expected: an address or a network, such as 10.0.0.0/8)");
    }
  }

  @Test
  void listOfThousandsOfAddressesIsOneCondition() throws Exception {
    String list =
        IntStream.range(0, 5_000)
            .mapToObj(i -> "10." + i / 256 + "." + i % 256 + ".1")
            .collect(Collectors.joining(", "));
    RulesSnapshot rules = rules("per: ip, limit: 1/s, allow: [" + list + "]");
    assertThat(rules.book().rules().get(0).overrides()).hasSize(1);
    assertThat(limits(rules, GET.from("10.3.7.1"))).isEmpty();
    assertThat(limits(rules, GET.from("10.3.7.2"))).isNotEmpty();
  }

  @Test
  void addressInATierTableDoesNotMatchAnApiKey() throws Exception {
    String yaml =
        CALLER
            + "tiers: {free: 1/s, pro: 9/s, max: 99/s}\n"
            + "rules:\n  - {name: a, per: caller, default-tier: free,"
            + " tier: {10.0.0.0/8: pro, acme: max}}\n";
    RulesSnapshot rules = TestRules.snapshot(yaml);
    assertThat(limits(rules, GET.from("10.3.2.1"))).isEqualTo("TOKEN_BUCKET 9/PT1S burst 9");
    assertThat(limits(rules, GET.with("X-Key", "10.0.0.0/8")))
        .isEqualTo("TOKEN_BUCKET 1/PT1S burst 1");
    assertThat(limits(rules, GET.with("X-Key", "acme"))).isEqualTo("TOKEN_BUCKET 99/PT1S burst 99");
  }

  @Test
  void exceptionsByPathHostAndMethodAreComparedInCanonicalForm() throws Exception {
    assertThat(limits(rules("per: method, limit: 1/s, allow: get"), GET)).isEmpty();
    assertThat(limits(rules("per: host, limit: 1/s, allow: Example.COM"), GET)).isEmpty();
    RulesSnapshot paths =
        TestRules.snapshot(
            "path-case: insensitive\nrules: [{name: a, per: path, limit: 1/s, allow: /Health}]");
    assertThat(limits(paths, FakeRequest.get("/HEALTH"))).isEmpty();
    RulesSnapshot odd =
        TestRules.snapshot(
            "path-case: insensitive\nrules: [{name: a, per: path, limit: 1/s, allow: /İẞ%25K}]");
    assertThat(limits(odd, FakeRequest.get("/%C4%B0ß%25k"))).isEmpty();
  }

  private static RulesSnapshot rules(String rule) throws RulesRejected {
    return TestRules.snapshot(CALLER + "rules: [{name: a, " + rule + "}]\n");
  }

  private static String limits(RulesSnapshot rules, FakeRequest request) {
    return String.join(", ", limitsOf(rules.match(request, 1))).replace("a: ", "");
  }
}
