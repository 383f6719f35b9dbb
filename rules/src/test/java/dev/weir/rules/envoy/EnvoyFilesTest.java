package dev.weir.rules.envoy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.rules.RuleSet;
import dev.weir.rules.RulesRejected;
import dev.weir.rules.TestEnvoy;
import dev.weir.rules.TestRules;
import dev.weir.rules.domain.DomainRule;
import dev.weir.rules.yaml.RulesText;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Several files in one format or in both. */
class EnvoyFilesTest {
  private static final String RULES = "rules:\n  - {name: all, limit: 10/second}\n";
  private static final RulesText A = shop("a.yaml", "a", "");
  private static final RulesText B = shop("b.yaml", "b", "");

  private static RulesText shop(String file, String key, String more) {
    String descriptor = "key: " + key + ", rate_limit: {unit: day, requests_per_unit: 1}";
    return RulesText.of(file, TestEnvoy.shop(descriptor) + more);
  }

  private static RuleSet load(RulesText... texts) throws RulesRejected {
    return TestRules.loader().load(List.of(texts));
  }

  private static RuleSet merge(RulesText... texts) throws RulesRejected {
    return TestRules.loader().with(new DomainDefaults(true, false)).load(List.of(texts));
  }

  private static List<String> paths(RuleSet rules) {
    return rules.domains().rules().stream().map(DomainRule::path).toList();
  }

  @Test
  void bothFormatsMayBeMixed() throws Exception {
    RulesText other = RulesText.of("c.yaml", "domain: mail\ndescriptors: [{key: c}]\n");
    RuleSet rules = load(A, RulesText.of("rules.yaml", RULES), other);
    assertThat(rules.book().rules()).hasSize(1);
    assertThat(rules.domains().names()).containsExactly("shop", "mail");
    assertThat(rules.warnings()).isEmpty();
  }

  @Test
  void filesOfEitherFormatAloneAreAccepted() throws Exception {
    assertThat(load(A).book().rules()).isEmpty();
    assertThat(load(A).domains().size()).isEqualTo(1);
    assertThat(load(RulesText.of("rules.yaml", RULES)).domains().names()).isEmpty();
    assertThat(load(A, RulesText.of("settings.yaml", "trusted-hops: 1\n")).domains().size())
        .as("settings without rules")
        .isEqualTo(1);
  }

  @Test
  void oneInvalidFileRefusesAll() {
    RulesText broken =
        RulesText.of("broken.yaml", "domain: mail\ndescriptors: [{key: c, kye: d}]\n");
    assertThatThrownBy(() -> load(A, RulesText.of("rules.yaml", RULES), broken))
        .hasMessage("broken.yaml:2:24: key: kye (expected: key; did you mean that?)");
    assertThatThrownBy(() -> load(A, RulesText.of("rules.yaml", "rules: x\n")))
        .hasMessage("rules.yaml:1:8: rules: x (expected: a list of rules)");
  }

  @Test
  void domainInTwoFilesIsRefusedByDefault() {
    assertThatThrownBy(() -> load(A, B))
        .hasMessage(
            "b.yaml:1:1: domain: shop (expected: each domain in one file only;"
                + " the first is at a.yaml:1:1)");
  }

  @Test
  void domainInTwoFilesIsMergedIfConfigured() throws Exception {
    assertThat(paths(merge(A, B))).containsExactly("shop.a", "shop.b");
    assertThat(paths(merge(B, A))).containsExactly("shop.b", "shop.a");
    assertThatThrownBy(() -> merge(A, B, shop("c.yaml", "a", "")))
        .hasMessage(
            "c.yaml:3:6: descriptor: shop.a (expected: each once; the first is at a.yaml:3:6)");
  }

  @Test
  void mergedFilesMustAgreeOnAccounting() throws Exception {
    RulesText strict = shop("c.yaml", "c", "accounting: all_or_none\n");
    assertThat(merge(A, strict).domains().rules())
        .hasSize(2)
        .allSatisfy(rule -> assertThat(rule.rate()).hasFieldOrPropertyWithValue("strict", true));
    assertThatThrownBy(() -> merge(strict, shop("d.yaml", "d", "accounting: each\n")))
        .hasMessage("d.yaml:4:1: accounting: again (expected: the same in all files)");
  }

  @Test
  void namesAreReplacedAcrossMergedFiles() throws Exception {
    RulesText named =
        RulesText.of(
            "a.yaml",
            TestEnvoy.shop("key: a, rate_limit: {unit: day, requests_per_unit: 1, name: gold}"));
    RulesText replacing =
        RulesText.of(
            "b.yaml",
            TestEnvoy.shop(
                "key: b, rate_limit: {unit: day, requests_per_unit: 1, replaces: [{name: gold}]}"));
    assertThat(merge(replacing, named).warnings()).isEmpty();
    assertThat(load(replacing).warnings()).hasSize(1);
  }
}
