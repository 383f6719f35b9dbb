package dev.weir.rules.syntax;

import static dev.weir.rules.TestRules.lint;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.rules.TestRules;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Exceptions that match no caller. */
class CallerLintTest {
  private static final String HEAD =
      """
      lint-ignore: [forgeable-key, claimable-name]
      tiers: {t: 1/s}
      identity: {key: header K, caller: [key, ip]}
      rules:
      """;

  @Test
  void networkInARuleThatIsNotPerIpIsWarnedOf() throws Exception {
    String rule = HEAD + "  - {name: a, per: %s, limit: 2/s, %s}\n";
    String block = "block: [mallory, 198.51.100.0/24]";
    assertThat(TestRules.load(rule.formatted("key", block)).warnings())
        .singleElement()
        .hasToString(
            "rules.yaml:5:54: warning: block: 198.51.100.0/24 is a network, but the rule knows"
                + " callers by header k (use a rule with match: {ip: 198.51.100.0/24} and limit:"
                + " blocked) [never-matches]");
    assertThat(TestRules.load(rule.formatted("key", "allow: 2001:db8::/32")).warnings())
        .singleElement()
        .asString()
        .startsWith("rules.yaml:5:44: ")
        .contains("(use per: ip)");
    assertThat(lint(rule.formatted("key", "overrides: {10.0.0.0/8: 5/s}")))
        .containsExactly("5:49 never-matches");
    assertThat(lint(rule.formatted("[key, ip]", "block: {key: 10.0.0.0/8, ip: 10.0.0.0/8}")))
        .containsExactly("5:56 never-matches");
    assertThat(lint(HEAD + "  - {name: a, per: key, default-tier: t, tier: {10.0.0.0/8: t}}\n"))
        .containsExactly("5:49 never-matches");
    for (String fine : List.of("caller", "ip", "entry masked_remote_address")) {
      assertThat(lint(rule.formatted(fine, "block: 198.51.100.0/24"))).as(fine).isEmpty();
    }
    assertThat(lint(rule.formatted("key", "block: 198.51.100.7")))
        .as("a header may contain an address")
        .isEmpty();
  }

  @Test
  void exceptionExcludedByMatchIsWarnedOf() throws Exception {
    String rule = HEAD + "  - {name: a, match: {%s}, per: %s, limit: 2/s, %s}\n";
    assertThat(
            TestRules.load(rule.formatted("path: [/a, /b/*]", "path", "allow: [/b/1, /c]"))
                .warnings())
        .singleElement()
        .asString()
        .endsWith("allow: /c never matches, since match leaves it out [never-matches]");
    assertThat(lint(rule.formatted("host: x.org", "host", "block: y.org")))
        .containsExactly("5:67 never-matches");
    assertThat(lint(rule.formatted("header: {K: \"a*\"}", "key", "overrides: {b: 3x, ab: 3x}")))
        .containsExactly("5:77 never-matches");
    assertThat(lint(rule.formatted("method: get", "method", "allow: Get"))).isEmpty();
    assertThat(lint(rule.formatted("host: x.org", "key", "allow: y.org"))).isEmpty();
  }
}
