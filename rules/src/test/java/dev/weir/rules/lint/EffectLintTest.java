package dev.weir.rules.lint;

import static dev.weir.rules.TestRules.lint;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.rules.TestRules;
import dev.weir.rules.yaml.RulesText;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Rules and files without effect. */
class EffectLintTest {
  private static final String DOMAIN =
      "domain: d\ndescriptors: [{key: k, rate_limit: {unit: second, requests_per_unit: 1}}]\n";

  @Test
  void fileWithoutRulesIsWarnedOf() throws Exception {
    assertThat(lint("rules: []\n")).containsExactly("1:1 no-limit");
    assertThat(lint("tiers: {a: 1/s}\nrules: []\n")).containsExactly("2:1 no-limit");
    assertThat(TestRules.load("rules: []\n").warnings())
        .singleElement()
        .hasToString("rules.yaml:1:1: warning: rules: none, so nothing is limited [no-limit]");
    assertThat(lint("lint-ignore: no-limit\nrules: []\n")).isEmpty();
    assertThat(lint("rules: [{name: a, limit: 1/s}]\n")).isEmpty();
  }

  @Test
  void fileWithoutRulesIsAcceptedBesideOneWithRules() throws Exception {
    RulesText none = RulesText.of("a.yaml", "rules: []\n");
    RulesText rules = RulesText.of("b.yaml", "rules: [{name: a, limit: 1/s}]\n");
    RulesText domain = RulesText.of("c.yaml", DOMAIN);
    for (RulesText other : List.of(rules, domain)) {
      assertThat(TestRules.loader().load(List.of(none, other)).warnings()).isEmpty();
    }
  }

  @Test
  void ruleWithoutEffectIsWarnedOf() throws Exception {
    String rule = "tiers: {all: unlimited, some: 1/s}\nrules:\n  - {name: a, per: ip, %s}\n";
    Map<String, String> useless =
        Map.of(
            "limit: unlimited", "3:24 no-limit",
            "limit: unlimited, allow: 10.0.0.1", "3:24 no-limit",
            "limit: 1/s, shadow: true, rollout: 0%", "3:50 no-limit");
    for (var one : useless.entrySet()) {
      assertThat(lint(rule.formatted(one.getKey())))
          .as(one.getKey())
          .containsExactly(one.getValue());
    }
    for (String useful :
        List.of(
            "limit: unlimited, block: 10.0.0.1",
            "limit: unlimited, overrides: {10.0.0.1: 1/s}",
            "tier: {10.0.0.1: some}, default-tier: all",
            "limit: 1/s, rollout: 0%",
            "limit: 1/s, shadow: true, rollout: 1%")) {
      assertThat(lint(rule.formatted(useful))).as(useful).isEmpty();
    }
    assertThat(
            lint(
                """
                tiers: {all: unlimited}
                rules:
                  - {name: a, per: ip, tier: {10.0.0.1: all}, default-tier: all}
                """))
        .containsExactly("3:24 no-limit");
  }

  @Test
  void unknownMethodIsWarnedOf() throws Exception {
    String rule = "rules:\n  - {name: a, match: {method: %s}, limit: 1/s}\n";
    assertThat(TestRules.load(rule.formatted("GTE")).warnings())
        .singleElement()
        .hasToString(
            "rules.yaml:2:31: warning: method: GTE is no method that clients use"
                + " (expected: such as GET; did you mean GET?) [unknown-method]");
    assertThat(lint(rule.formatted("[get, PSOT, propfind, QUERY, M-SEARCH]")))
        .containsExactly("2:37 unknown-method", "2:60 unknown-method");
    String by = "lint-ignore: forgeable-key\nrules:\n  - {name: a, per: method, limit: 1/s, %s}\n";
    assertThat(lint(by.formatted("allow: [GTE, head]"))).containsExactly("3:48 unknown-method");
    assertThat(lint("lint-ignore: unknown-method\n" + rule.formatted("GTE"))).isEmpty();
  }
}
