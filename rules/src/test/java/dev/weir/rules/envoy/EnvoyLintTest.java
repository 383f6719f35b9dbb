package dev.weir.rules.envoy;

import static dev.weir.rules.TestEnvoy.warnings;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.rules.TestEnvoy;
import dev.weir.rules.TestRules;
import org.junit.jupiter.api.Test;

class EnvoyLintTest {
  private static final String RATE = "rate_limit: {unit: day, requests_per_unit: 1}";

  @Test
  void misplacedFieldIsIgnored() throws Exception {
    assertThat(warnings("key: a, rate_limit: {unit: day, requests_per_unit: 1, shadow_mode: true}"))
        .containsExactly(
            "3:60: warning: shadow_mode: ignored here (it belongs into a descriptor)"
                + " [ignored-field]");
    assertThat(warnings("key: a, name: b, unit: day, domain: c, " + RATE))
        .containsExactly(
            "3:14: warning: name: ignored here (it belongs into rate_limit) [ignored-field]",
            "3:23: warning: unit: ignored here (it belongs into rate_limit) [ignored-field]",
            "3:34: warning: domain: ignored here (it belongs at the top of the file)"
                + " [ignored-field]");
    assertThat(TestRules.lint(TestEnvoy.shop("key: a, " + RATE) + "shadow_mode: true\n"))
        .containsExactly("4:1 ignored-field");
    assertThat(
            warnings(
                "key: a, rate_limit: {name: b, unit: day, requests_per_unit: 1}",
                "key: c, rate_limit: {unit: day, requests_per_unit: 1, replaces: [{name: b, unit:"
                    + " day}]}"))
        .containsExactly(
            "4:81: warning: unit: ignored here (it belongs into rate_limit) [ignored-field]");
  }

  @Test
  void ignoredFieldMayHaveAnyValueThatTheServiceReads() throws Exception {
    for (String ignored :
        new String[] {"metadata: [x, 0.5]", "metadata: 0.5", "descriptors: [{<<: {key: b}}]"}) {
      String rate = "key: a, rate_limit: {unit: day, requests_per_unit: 1, %s}";
      assertThat(warnings(rate.formatted(ignored))).as(ignored).hasSize(1);
    }
  }

  @Test
  void fieldsOfAMissingLimitAreIgnored() throws Exception {
    assertThat(warnings("key: a, shadow_mode: true, descriptors: [{key: b, " + RATE + "}]"))
        .containsExactly(
            "3:14: warning: shadow_mode: ignored without a rate_limit beside it [ignored-field]");
    assertThat(warnings("key: a, quota_mode: true, detailed_metric: true, metadata: {b: c}"))
        .hasSize(3)
        .allMatch(one -> one.endsWith("ignored without a rate_limit beside it [ignored-field]"));
    assertThat(warnings("key: a, value: b*, value_to_metric: true, share_threshold: true"))
        .as("these apply to child descriptors, too")
        .isEmpty();
  }

  @Test
  void fieldsBesideUnlimitedAreIgnored() throws Exception {
    assertThat(
            warnings(
                "key: a, rate_limit: {unlimited: true, unit: fortnight, requests_per_unit: 1,"
                    + " priority: 3}"))
        .containsExactly(
            "3:44: warning: unit: ignored beside unlimited [ignored-field]",
            "3:61: warning: requests_per_unit: ignored beside unlimited [ignored-field]",
            "3:83: warning: priority: ignored beside unlimited [ignored-field]");
    assertThat(warnings("key: a, rate_limit: {unlimited: true, name: b}")).isEmpty();
  }

  @Test
  void missingRequestsPerUnitBlocksEverything() throws Exception {
    String message =
        "requests_per_unit: nothing, which blocks everything (write 0 if that is intended)"
            + " [blocks-everything]";
    assertThat(warnings("key: a, rate_limit: {unit: day}"))
        .containsExactly("3:26: warning: " + message);
    assertThat(warnings("key: a, rate_limit: {unit: day, requests_per_unit: }"))
        .containsExactly("3:38: warning: " + message);
    assertThat(warnings("key: a, rate_limit: {unit: day, requests_per_unit: 0}")).isEmpty();
  }

  @Test
  void missingLimitIsWarnedOf() throws Exception {
    assertThat(warnings("key: a, rate_limit: "))
        .containsExactly(
            "3:14: warning: rate_limit: nothing, so nothing is limited (remove it if that is intended)"
                + " [no-limit]");
    assertThat(TestRules.lint("domain: shop\n")).containsExactly("1:1 no-limit");
    assertThat(TestRules.lint("domain: shop\ndescriptors: []\n")).containsExactly("2:1 no-limit");
    assertThat(warnings("key: a")).as("lets pass, on purpose").isEmpty();
  }

  @Test
  void emptyValueMatchesEveryValue() throws Exception {
    String message =
        "3:14: warning: value: nothing, which fits every value (remove it if that is intended)"
            + " [empty-value]";
    assertThat(warnings("key: a, value: , " + RATE)).containsExactly(message);
    assertThat(warnings("key: a, value: '', " + RATE)).containsExactly(message);
  }

  @Test
  void danglingReplacesIsWarnedOf() throws Exception {
    String named = "key: %s, rate_limit: {unit: day, requests_per_unit: 1, name: %s}";
    String replaces =
        "key: c, descriptors: [{key: d, rate_limit: {unit: day, requests_per_unit: 1,"
            + " replaces: [{name: %s}]}}]";
    assertThat(warnings(named.formatted("a", "gold"), replaces.formatted("gold"))).isEmpty();
    assertThat(warnings(replaces.formatted("gold"), named.formatted("a", "gold"))).isEmpty();
    assertThat(warnings(named.formatted("a", "gold"), replaces.formatted("glod")))
        .containsExactly(
            "4:101: warning: replaces: glod is the name of no limit here (did you mean gold?)"
                + " [dangling-replaces]");
  }

  @Test
  void unreachablePatternNeverMatches() throws Exception {
    assertThat(
            warnings(
                "key: a, value: b*, " + RATE,
                "key: a, value: bc*, " + RATE,
                "key: a, value: bcd, " + RATE,
                "key: c, descriptors: [{key: d, value: '*', "
                    + RATE
                    + "}, {key: d, "
                    + RATE
                    + "}]"))
        .containsExactly(
            "4:6: warning: value: bc* never matches, since a pattern before it does"
                + " [never-matches]",
            "6:98: warning: key: d never matches alone, since a pattern takes every value"
                + " [never-matches]");
  }

  @Test
  void lastOfARepeatedKeyCounts() throws Exception {
    String twice = "key: a, key: b, " + RATE;
    assertThat(warnings(twice))
        .containsExactly(
            "3:14: warning: key: only the last of several counts; the first is in line 3"
                + " [key-twice]");
    assertThat(TestEnvoy.load(twice).rules().get(0).path()).isEqualTo("shop.b");
  }

  @Test
  void leadingZeroMakesANumberOctal() throws Exception {
    assertThat(warnings("key: a, rate_limit: {unit: day, requests_per_unit: 010}"))
        .containsExactly(
            "3:57: warning: requests_per_unit: 010 is 8, since the zero in front makes it octal"
                + " [octal-number]");
    assertThat(warnings("key: a, rate_limit: {unit: day, requests_per_unit: 00}")).isEmpty();
  }

  @Test
  void warningsCanBeIgnored() throws Exception {
    String yaml = TestEnvoy.shop("key: a, rate_limit: {unit: day}");
    assertThat(TestRules.lint(yaml)).hasSize(1);
    assertThat(TestRules.lint(yaml + "lint_ignore: blocks-everything\n")).isEmpty();
    assertThat(TestRules.lint(yaml + "lint_ignore: [no-limit]\n")).hasSize(1);
  }
}
