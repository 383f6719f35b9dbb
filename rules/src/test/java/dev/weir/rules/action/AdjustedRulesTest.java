package dev.weir.rules.action;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Descriptor;
import dev.weir.rule.Multiple;
import dev.weir.rule.book.Explanation;
import dev.weir.rules.RuleSet;
import dev.weir.rules.TestRules;
import dev.weir.rules.action.Adjustment.Kind;
import dev.weir.rules.domain.DescriptorMatch;
import dev.weir.rules.domain.DomainRule;
import dev.weir.rules.domain.Entry;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** What adjustments do to rules and to limits of domains, alone and together. */
class AdjustedRulesTest {
  private static final String RULES =
      """
      identity: {user: header X-User}
      lint-ignore: [forgeable-key]
      rules:
        - {name: login, per: user, limit: 10/minute, algorithm: fixed-window}
        - {name: search, per: user, limit: 100/minute, algorithm: fixed-window}
      """;
  private static final String DOMAIN =
      """
      domain: shop
      descriptors:
        - key: tenant
          rate_limit: {unit: minute, requests_per_unit: 20}
          descriptors:
            - {key: path, value: /a, rate_limit: {unit: hour, requests_per_unit: 8}}
        - {key: closed, rate_limit: {unit: minute, requests_per_unit: 0}}
        - {key: open, rate_limit: {unlimited: true}}
      """;
  private static final Multiple TWICE = new Multiple(2 * Multiple.WHOLE);
  private static final Multiple TENTH = new Multiple(Multiple.WHOLE / 10);
  private static final Descriptor ACME = Descriptor.of(Map.of("header x-user", "acme"));

  private final RuleSet own = load(RULES);
  private final RuleSet shop = load(DOMAIN);

  private static RuleSet load(String yaml) {
    try {
      return TestRules.load(yaml);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private AdjustedRules with(Adjustment... adjustments) {
    return AdjustedRules.of(own.book(), shop.domains(), List.of(adjustments));
  }

  private static Adjustment multiply(String id, String rule, Multiple factor) {
    return new Adjustment(
        id, Kind.MULTIPLY, Optional.of(rule), Optional.of(factor), OptionalLong.empty());
  }

  private static Adjustment shadow(String id, String rule) {
    return new Adjustment(
        id, Kind.SHADOW, Optional.of(rule), Optional.empty(), OptionalLong.empty());
  }

  private static Adjustment caller(String id, Kind kind, String rule, long caller) {
    Optional<String> about = rule.isEmpty() ? Optional.empty() : Optional.of(rule);
    return new Adjustment(id, kind, about, Optional.empty(), OptionalLong.of(caller));
  }

  private long acme() {
    return explained(AdjustedRules.none(own.book(), shop.domains()), "login").caller().hash();
  }

  private static Explanation explained(AdjustedRules rules, String name) {
    return rules.book().explain(ACME, 0).stream()
        .filter(one -> one.rule().name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static long permits(AdjustedRules rules, String name) {
    return explained(rules, name).allowance().limits().get(0).permits();
  }

  private static DomainRule limit(AdjustedRules rules, Entry... entries) {
    return rules
        .domains()
        .domain("shop")
        .orElseThrow()
        .match(List.of(entries))
        .map(DescriptorMatch::rule)
        .orElseThrow();
  }

  private static DomainRule.Rate rate(AdjustedRules rules, Entry... entries) {
    return Objects.requireNonNull(limit(rules, entries).rate());
  }

  private static final Entry TENANT = new Entry("tenant", "acme");

  @Test
  void nothingIsCopiedWithoutAdjustments() {
    assertThat(with().book()).isSameAs(own.book());
    assertThat(with().domains()).isSameAs(shop.domains());
    assertThat(with(shadow("a", "login")).domains()).isSameAs(shop.domains());
  }

  @Test
  void multipliedRuleAndShadowedRuleAreNamed() {
    AdjustedRules rules =
        with(multiply("a", "login", TWICE), shadow("b", "login"), shadow("c", "search"));
    assertThat(permits(rules, "login")).isEqualTo(20);
    assertThat(explained(rules, "login").match().shadows()).hasSize(1);
    assertThat(permits(rules, "search")).isEqualTo(100);
    assertThat(rules.adjusting("login")).containsExactly("a", "b");
    assertThat(rules.adjusting("search")).containsExactly("c");
    assertThat(rules.idle()).isEmpty();
  }

  @Test
  void newestOfTwoFactorsApplies() {
    AdjustedRules rules = with(multiply("a", "login", TWICE), multiply("b", "login", TENTH));
    assertThat(permits(rules, "login")).isEqualTo(1);
    assertThat(rules.idle()).containsEntry("a", "superseded by the newer action b");
    assertThat(rules.adjusting("login")).containsExactly("b");
  }

  @Test
  void unknownRuleAndImpossibleFactorHaveNoEffectAndSayWhy() {
    AdjustedRules rules =
        with(
            multiply("a", "removed", TWICE),
            shadow("b", "shop/removed"),
            caller("c", Kind.BLOCK, "removed", acme()),
            multiply("d", "login", new Multiple(10)),
            multiply("e", "shop/tenant.path_/a", new Multiple(1)));
    assertThat(rules.idle())
        .containsEntry("a", "there is no rule of this name")
        .containsEntry("b", "there is no rule of this name")
        .containsEntry("c", "there is no rule of this name")
        .containsEntry("d", "permits: 0.00001x of 10 (expected: at least one permit)")
        .containsEntry("e", "permits: 0.000001x of 8 (expected: at least one permit)")
        .hasSize(5);
    assertThat(permits(rules, "login")).isEqualTo(10);
    assertThat(explained(rules, "login").caller().action()).isEmpty();
  }

  @Test
  void limitOfADomainIsMultiplied() {
    AdjustedRules rules = with(multiply("a", "shop/tenant", TWICE));
    DomainRule.Rate rate = rate(rules, TENANT);
    assertThat(rate.requestsPerUnit()).isEqualTo(40);
    assertThat(rate.limits().get(0).permits()).isEqualTo(40);
    assertThat(rate.limits().get(0).group())
        .isEqualTo(rate(with(), TENANT).limits().get(0).group());
    DomainRule below = limit(rules, TENANT, new Entry("path", "/a"));
    assertThat(below).isEqualTo(limit(with(), TENANT, new Entry("path", "/a")));
    assertThat(rules.adjusting("shop/tenant")).containsExactly("a");
  }

  @Test
  void limitOfADomainIsPutIntoShadowMode() {
    AdjustedRules rules = with(shadow("a", "shop/tenant.path_/a"));
    DomainRule below = limit(rules, TENANT, new Entry("path", "/a"));
    assertThat(below.enforcement().shadow()).isTrue();
    assertThat(below.rate()).isEqualTo(limit(with(), TENANT, new Entry("path", "/a")).rate());
    assertThat(limit(rules, TENANT).enforcement().shadow()).isFalse();
  }

  @Test
  void closedAndUnlimitedLimitsOfADomainStaySo() {
    AdjustedRules rules =
        with(multiply("a", "shop/closed", TWICE), multiply("b", "shop/open", TWICE));
    assertThat(rate(rules, new Entry("closed", "x")).isBlocked()).isTrue();
    assertThat(limit(rules, new Entry("open", "x")).isUnlimited()).isTrue();
    assertThat(rules.idle()).isEmpty();
  }

  @Test
  void newestActionOnACallerApplies() {
    AdjustedRules exempt =
        with(caller("a", Kind.BLOCK, "", acme()), caller("b", Kind.EXEMPT, "", acme()));
    assertThat(explained(exempt, "login").caller().action().orElseThrow().id()).isEqualTo("b");
    assertThat(exempt.idle()).containsEntry("a", "superseded by the newer action b");

    AdjustedRules partly =
        with(caller("a", Kind.BLOCK, "", acme()), caller("b", Kind.EXEMPT, "login", acme()));
    assertThat(explained(partly, "login").caller().action().orElseThrow().id()).isEqualTo("b");
    assertThat(explained(partly, "search").caller().action().orElseThrow().id()).isEqualTo("a");
    assertThat(partly.idle()).isEmpty();

    AdjustedRules covered =
        with(caller("a", Kind.EXEMPT, "login", acme()), caller("b", Kind.BLOCK, "", acme()));
    assertThat(explained(covered, "login").caller().action().orElseThrow().id()).isEqualTo("b");
    assertThat(covered.idle()).containsEntry("a", "superseded by the newer action b");
  }

  @Test
  void namesAreThoseOfRulesAndOfLimitsOfDomains() {
    assertThat(AdjustedRules.names(own.book(), shop.domains()))
        .containsExactlyInAnyOrder(
            "login", "search", "shop/tenant", "shop/tenant.path_/a", "shop/closed", "shop/open");
  }

  @Test
  void incompleteAdjustmentIsRejected() {
    assertThatThrownBy(
            () ->
                new Adjustment(
                    "a", Kind.SHADOW, Optional.empty(), Optional.empty(), OptionalLong.empty()))
        .hasMessage("action: shadow (expected: its parts)");
  }
}
