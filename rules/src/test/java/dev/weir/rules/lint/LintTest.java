package dev.weir.rules.lint;

import static dev.weir.rules.TestRules.lint;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.rules.RulesRejected;
import dev.weir.rules.TestRules;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LintTest {
  private static final String TRUSTED =
      "trusted-proxies: 10.0.0.0/8\nlint-ignore: proxy-must-set\n";

  @Test
  void encodedPathNeverMatches() throws Exception {
    assertThat(lint("rules:\n  - {name: a, match: {path: /caf%C3%A9}, limit: 1/s}\n"))
        .containsExactly("2:15 never-matches");
    // A percent sign stays escaped, so that decoding cannot be mistaken for it.
    assertThat(lint("rules:\n  - {name: a, match: {path: /café/100%}, limit: 1/s}\n"))
        .containsExactly("2:15 never-matches");
    assertThat(lint("rules:\n  - {name: a, match: {path: /café/100%25}, limit: 1/s}\n")).isEmpty();
    assertThat(lint("rules:\n  - {name: a, match: {path: /a%2Fb}, limit: 1/s}\n")).isEmpty();
  }

  @Test
  void colonNameInAPathIsWarnedOf() throws Exception {
    assertThat(TestRules.load(path("/users/:id/posts/:post")).warnings())
        .singleElement()
        .asString()
        .endsWith("(did you mean /users/{id}/posts/{post}?) [never-matches]");
    assertThat(lint(path("/v1/jobs:cancel"))).isEmpty();
  }

  private static String path(String path) {
    return "rules:\n  - {name: a, match: {path: \"" + path + "\"}, limit: 1/s}\n";
  }

  @Test
  void exceptionForAnImpossibleValueNeverMatches() throws Exception {
    String rule =
        "lint-ignore: forgeable-key\nrules:\n  - {name: a, per: %s, limit: 1/s, allow: %s}";
    Map<String, String> instead =
        Map.of(
            "path, /Login/", "/Login",
            "path, login", "/login",
            "path, /caf%C3%A9", "/café",
            "host, 'example.com:80'", "example.com",
            "host, a b", "a host, such as example.com",
            "method, G T", "a method, such as GET");
    for (var one : instead.entrySet()) {
      Object[] words = one.getKey().split(", ", -1);
      assertThat(TestRules.load(String.format(rule, words)).warnings())
          .as(one.getKey())
          .singleElement()
          .asString()
          .endsWith(" never matches (write " + one.getValue() + ") [never-matches]");
    }
    for (String fine :
        List.of("path, /login", "path, /a%2Fb", "host, EXAMPLE.com.", "host, '[::1]'")) {
      Object[] words = fine.split(", ", -1);
      assertThat(lint(String.format(rule, words))).as(fine).isEmpty();
    }
    assertThat(lint(String.format(rule, "[[path, header X]]", "login"))).as("a header").isEmpty();
  }

  @Test
  void ruleWithErrorsIsNotLinted() {
    String rule = "  - {name: %s, match: {methd: GET}, per: ip, limit: 1/s}\n";
    String yaml = "rules:\n" + rule.formatted("a") + rule.formatted("b");
    assertThatThrownBy(() -> TestRules.load(yaml))
        .isInstanceOfSatisfying(RulesRejected.class, e -> assertThat(e.problems()).hasSize(2));
  }

  @Test
  void trustedHeaderWithoutTrustedProxiesIsWarnedOf() throws Exception {
    String rule = "rules:\n  - {name: a, per: trusted-header X-User, limit: 1/s}\n";
    assertThat(lint(rule)).containsExactly("2:5 never-matches");
    assertThat(lint(TRUSTED + rule)).isEmpty();
    assertThat(lint("trusted-hops: 1\nlint-ignore: proxy-must-set\n" + rule)).isEmpty();
  }

  @Test
  void burstBelowTheCostIsWarnedOf() throws Exception {
    assertThat(lint("rules:\n  - {name: a, limit: 10/s, burst: 4, cost: 5}\n"))
        .containsExactly("2:28 burst-below-cost");
    assertThat(lint("rules:\n  - {name: a, limit: 10/s, burst: 5, cost: 5}\n")).isEmpty();
    assertThat(
            lint(
                TRUSTED
                    + "rules:\n  - {name: a, limit: 10/s, cost:"
                    + " {from: trusted-header X-Size, max: 11}}\n"))
        .containsExactly("4:28 burst-below-cost");
  }

  @Test
  void tierOrOverrideBelowTheCostIsWarnedOf() throws Exception {
    String tiers = "tiers: {small: 3/s, large: 30/s}\n";
    String rule =
        "rules:\n  - {name: a, per: ip, tier: {10.0.0.1: large}, default-tier: small, cost: 5}\n";
    assertThat(lint(tiers + rule)).containsExactly("3:70 burst-below-cost");
  }

  @Test
  void forgeableKeyIsWarnedOf() throws Exception {
    Map<String, Boolean> forgeable =
        Map.of(
            "header X-User", true,
            "cookie session", true,
            "[ip, header X-User]", true,
            "{all: [ip, header X-User]}", true,
            "[[header X-User, ip]]", true,
            "ip", false,
            "trusted-header X-User", false,
            "entry tenant", false);
    for (var one : forgeable.entrySet()) {
      String yaml = TRUSTED + "rules:\n  - {name: a, limit: 1/s, per: " + unmapped(one.getKey());
      assertThat(lint(yaml + "}\n"))
          .as(one.getKey())
          .isEqualTo(one.getValue() ? List.of("4:27 forgeable-key") : List.of());
    }
  }

  /** In {@code per}, a mapping must be in a list. */
  private static String unmapped(String per) {
    return per.startsWith("{") ? "[" + per + "]" : per;
  }

  @Test
  void pathsAreForgeableUnlessTheyAreExact() throws Exception {
    assertThat(lint("rules:\n  - {name: a, per: [ip, path], limit: 1/s}\n"))
        .containsExactly("2:15 forgeable-key");
    assertThat(lint("rules:\n  - {name: a, match: {path: /u/*}, per: path, limit: 1/s}\n"))
        .containsExactly("2:36 forgeable-key");
    assertThat(lint("rules:\n  - {name: a, match: {path: [/u, /v]}, per: path, limit: 1/s}\n"))
        .isEmpty();
  }

  @Test
  void hostsAndMethodsAreForgeableUnlessTheyAreExact() throws Exception {
    for (String name : new String[] {"host", "method"}) {
      String rule = "rules:\n  - {name: a, limit: 1/s, per: %s%s}\n";
      assertThat(lint(String.format(rule, name, ""))).containsExactly("2:27 forgeable-key");
      assertThat(lint(String.format(rule, "[{all: [ip, " + name + "]}]", "")))
          .containsExactly("2:27 forgeable-key");
      assertThat(lint(String.format(rule, name, ", match: {" + name + ": [get, put]}"))).isEmpty();
    }
    assertThat(lint("rules:\n  - {name: a, limit: 1/s, per: host, match: {host: \"*.x\"}}\n"))
        .containsExactly("2:27 forgeable-key");
    assertThat(lint("rules:\n  - {name: a, limit: 1/s, per: header A, match: {header: {A: x}}}\n"))
        .as("only one value makes a counter")
        .isEmpty();
  }

  @Test
  void claimableNameIsWarnedOf() throws Exception {
    String head =
        "jwt: {secret-env: TOKEN_SECRET}\ntiers: {t: 1/s}\n"
            + "lint-ignore: [forgeable-key, proxy-must-set]\ntrusted-proxies: 10.0.0.0/8\n"
            + "identity: {subject: jwt sub, key: header K, caller: [subject, key, ip],"
            + " proxied: [trusted-header U, cookie c], keys: [key, cookie c]}\n"
            + "rules:\n";
    String rule = head + "  - {name: a, per: %s, limit: 1/s, %s}\n";
    String table = head + "  - {name: a, per: %s, default-tier: t, tier: {%s}}\n";
    for (String claimable : new String[] {"allow: ops", "overrides: {ops: 9/s}"}) {
      for (String per : new String[] {"caller", "proxied"}) {
        assertThat(lint(String.format(rule, per, claimable)))
            .as("%s per %s", claimable, per)
            .singleElement()
            .asString()
            .endsWith(" claimable-name");
      }
      assertThat(lint(String.format(rule, "keys", claimable))).isEmpty();
      assertThat(lint(String.format(rule, "subject", claimable))).isEmpty();
    }
    assertThat(lint(String.format(table, "caller", "ops: t"))).hasSize(1);
    assertThat(lint(String.format(table, "caller", "subject: {ops: t}"))).isEmpty();
    String override = "overrides: [{for: {%s: ops}, limit: %s}]";
    assertThat(lint(String.format(rule, "[caller, ip]", override.formatted("caller", "9/s"))))
        .hasSize(1);
    for (String safe :
        new String[] {
          "block: ops",
          "allow: 10.0.0.1",
          "allow: [{subject: ops}, {jwt sub: dev}, {key: k}]",
          override.formatted("subject", "9/s"),
          override.formatted("caller", "blocked"),
          "overrides: {ops: blocked}"
        }) {
      assertThat(lint(String.format(rule, "caller", safe))).as(safe).isEmpty();
    }
    assertThat(TestRules.load(String.format(rule, "caller", "allow: [ops, dev]")).warnings())
        .as("once for a list")
        .singleElement()
        .asString()
        .contains(
            "allow: anyone can claim to be ops by sending header k"
                + " (write {subject: ops} for the one known by jwt sub)");
    assertThat(TestRules.load(String.format(rule, "caller", "overrides: {ops: 9/s}")).warnings())
        .singleElement()
        .asString()
        .contains("(write - {for: {subject: ops}, limit: …} for ");
    assertThat(TestRules.load(String.format(table, "caller", "ops: t")).warnings())
        .singleElement()
        .asString()
        .contains("(write subject: {ops: …} for ");
  }

  @Test
  void forgeableTierOrCostIsWarnedOf() throws Exception {
    String tier = "tiers: {t: 1/s}\nrules:\n  - {name: a, tier: %s X-T, default-tier: t}\n";
    assertThat(lint(String.format(tier, "header"))).containsExactly("3:15 forgeable-key");
    assertThat(lint(TRUSTED + String.format(tier, "trusted-header"))).isEmpty();
    String cost = "rules:\n  - {name: a, limit: 9/s, cost: {from: %s X-C, max: 5}}\n";
    assertThat(lint(String.format(cost, "header"))).containsExactly("2:27 forgeable-key");
    assertThat(lint(TRUSTED + String.format(cost, "trusted-header"))).isEmpty();
  }

  @Test
  void slidingCounterOnALoginIsWarnedOf() throws Exception {
    String rule = "rules:\n  - {name: a, match: {path: %s}, limit: 5/m, algorithm: %s}\n";
    for (String path : new String[] {"/login", "/v1/sign-in", "/oauth/token", "/password-reset"}) {
      assertThat(lint(String.format(rule, path, "sliding-counter")))
          .as(path)
          .singleElement()
          .asString()
          .endsWith(" weak-login-limit");
      assertThat(lint(String.format(rule, path, "sliding-log"))).as(path).isEmpty();
    }
    for (String path : new String[] {"/authors", "/logins-of-the-year", "/tokenize", "/hotpot"}) {
      assertThat(lint(String.format(rule, path, "sliding-counter"))).as(path).isEmpty();
    }
  }

  @Test
  void duplicateCountIsWarnedOf() throws Exception {
    String two = "rules:\n  - {name: a, %s}\n  - {name: b, %s}\n";
    String match = "match: {ip: 10.0.0.0/8, host: \"*.x\"}, per: ip, limit: %s";
    assertThat(lint(String.format(two, match.formatted("5/m"), match.formatted("9/m"))))
        .containsExactly("3:6 counted-twice");
    assertThat(lint(String.format(two, match.formatted("5/m"), match.formatted("9/s")))).isEmpty();
    assertThat(lint(String.format(two, "limit: 5/day in UTC", "limit: 5/day in Asia/Tokyo")))
        .isEmpty();
    assertThat(lint(String.format(two, "limit: 5/m", "limit: 5/m, cost: 3"))).isEmpty();
    assertThat(lint(String.format(two, "limit: 5/m", "limit: 9/m, shadow: true")))
        .as("a shadow rule with another limit")
        .isEmpty();
    assertThat(lint("rules:\n  - {name: a, limit: [5/m, 9/60s]}\n"))
        .containsExactly("2:15 counted-twice");
  }

  @Test
  void ignoredWarningsAreNotReported() throws Exception {
    String yaml = TestRules.sample() + "lint-ignore: [forgeable-key, needs-release]\n";
    assertThat(lint(yaml)).isEmpty();
    assertThat(lint(TestRules.sample() + "lint-ignore: [never-matches]\n")).hasSize(6);
  }

  @Test
  void concurrencyLimitIsWarnedToNeedARelease() throws Exception {
    assertThat(lint("rules:\n  - {name: a, concurrent: 5}\n"))
        .containsExactly("2:15 needs-release");
    assertThat(lint("rules:\n  - {name: a, limit: [5/s, {concurrent: 5}]}\n"))
        .containsExactly("2:5 needs-release");
    assertThat(lint("rules:\n  - {name: a, limit: 5/s}\n")).isEmpty();
  }
}
