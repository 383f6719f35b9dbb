package dev.weir.rule.book;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Claim;
import dev.weir.Descriptor;
import dev.weir.rule.Allowance;
import dev.weir.rule.CallerOverride;
import dev.weir.rule.Cost;
import dev.weir.rule.Identity;
import dev.weir.rule.Rule;
import dev.weir.rule.Tiers;
import dev.weir.rule.condition.Condition;
import dev.weir.rule.condition.PathReadings;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a rule allows a caller: overrides, tiers, costs, blocks and rollouts. */
class RuleAllowanceTest extends RuleBookFixture {
  @Test
  void firstOverrideThatMatchesApplies() {
    Rule.Builder rule =
        Rule.named("rule")
            .per(CALLER)
            .limit(TEN)
            .override(
                CallerOverride.of(Condition.oneOf("header x-user", "evil"), Allowance.BLOCKED),
                CallerOverride.of(
                    Condition.oneOf("header x-user", "evil", "staff"), Allowance.UNLIMITED),
                CallerOverride.of(Condition.like("ip exact", "10.*"), Allowance.of(HUNDRED)),
                CallerOverride.of(Condition.oneOf("header x-user", "acme"), Allowance.of(HUNDRED)));
    assertThat(match(rule, Map.of("header x-user", "evil")).blockedBy()).isPresent();
    assertThat(match(rule, Map.of("header x-user", "staff")).claims()).isEmpty();
    assertThat(match(rule, Map.of("header x-user", "staff")).blockedBy()).isEmpty();
    assertThat(limit(rule, Map.of("header x-user", "acme"))).isEqualTo(HUNDRED);
    assertThat(limit(rule, Map.of("header x-user", "other"))).isEqualTo(TEN);
    assertThat(limit(rule, Map.of("ip", "10.0.0.0/24", "ip exact", "10.0.0.1"))).isEqualTo(HUNDRED);
    // Identified by its name, so overrides for addresses do not apply.
    assertThat(limit(rule, Map.of("header x-user", "u", "ip", "10.0.0.1", "ip exact", "10.0.0.1")))
        .isEqualTo(TEN);
  }

  @Test
  void overrideMatchesPartsOfAnIdentity() {
    Rule.Builder rule =
        Rule.named("rule")
            .per(Identity.of("entry tenant"), USER)
            .limit(TEN)
            .override(
                new CallerOverride(
                    Map.of(
                        0, Condition.oneOf("entry tenant", "acme"),
                        1, Condition.oneOf("header x-user", "bob")),
                    Allowance.UNLIMITED),
                new CallerOverride(
                    Map.of(0, Condition.oneOf("entry tenant", "acme")), Allowance.of(HUNDRED)));
    assertThat(match(rule, Map.of("entry tenant", "acme", "header x-user", "bob")).claims())
        .isEmpty();
    assertThat(limit(rule, Map.of("entry tenant", "acme", "header x-user", "ann")))
        .isEqualTo(HUNDRED);
    assertThat(limit(rule, Map.of("entry tenant", "bolt", "header x-user", "bob"))).isEqualTo(TEN);
  }

  @Test
  void tierComesFromTheRequestOrIsTheDefault() {
    Map<String, Allowance> plans = Map.of("free", Allowance.of(TEN), "pro", Allowance.of(HUNDRED));
    Rule.Builder rule =
        Rule.named("rule").per(USER).tiers(new Tiers("header x-plan", plans, "free"));
    assertThat(limit(rule, Map.of("header x-user", "u", "header x-plan", "pro")))
        .isEqualTo(HUNDRED);
    assertThat(limit(rule, Map.of("header x-user", "u", "header x-plan", "gold"))).isEqualTo(TEN);
    assertThat(limit(rule, Map.of("header x-user", "u"))).isEqualTo(TEN);
    // The same counter in every tier: a caller who changes tiers keeps the count.
    assertThat(key(rule, Map.of("header x-user", "u", "header x-plan", "pro")))
        .isEqualTo(key(rule, Map.of("header x-user", "u")));
    assertThatThrownBy(() -> new Tiers(null, plans, "gold"))
        .hasMessageStartingWith("default-tier: gold (expected: one of ");
  }

  @Test
  void costIsBoundedAndAMalformedOneIsTheMaximum() {
    Rule.Builder rule = Rule.named("rule").limit(TEN).cost(new Cost("header x-cost", 2, 50));
    assertThat(cost(rule, null)).isEqualTo(2);
    assertThat(cost(rule, "7")).isEqualTo(7);
    for (String stated :
        new String[] {"51", "0", "-1", "", "1.5", "1e3", " 7", "99999999999999999999", "٣"}) {
      assertThat(cost(rule, stated)).as(stated).isEqualTo(50);
    }
  }

  private long cost(Rule.Builder rule, @Nullable String stated) {
    Map<String, String> request = stated == null ? Map.of() : Map.of("header x-cost", stated);
    return match(rule, request).claims().get(0).cost();
  }

  @Test
  void rolloutEnforcesForItsShareOfCallersAndShadowsTheOthers() {
    Rule.Builder rule = Rule.named("rule").per(USER).limit(TEN).enforced(2_500);
    int enforced = 0;
    for (int i = 0; i < 10_000; i++) {
      Match match = match(rule, Map.of("header x-user", "user-" + i));
      assertThat(match.claims().size() + match.shadows().size()).isEqualTo(1);
      enforced += match.claims().size();
    }
    assertThat(enforced).isBetween(2_300, 2_700);
    // For one caller, all limits of a rule are enforced, or none.
    Rule.Builder both = Rule.named("both").per(USER).limit(TEN, HUNDRED).enforced(5_000);
    for (int i = 0; i < 1_000; i++) {
      assertThat(match(both, Map.of("header x-user", "user-" + i)).claims().size()).isIn(0, 2);
    }
    assertThat(match(Rule.named("shadow").limit(TEN).enforced(0), Map.of()).shadows()).hasSize(1);
  }

  @Test
  void overrideForOneReadingDoesNotApplyToTheOthers() {
    Rule.Builder rule =
        Rule.named("r")
            .per(Identity.of("path"))
            .override(CallerOverride.of(Condition.path("/healthz"), Allowance.UNLIMITED))
            .override(CallerOverride.of(Condition.path("/shut"), Allowance.BLOCKED))
            .limit(TEN);
    assertThat(match(rule, Map.of("path", "/healthz")).claims()).isEmpty();
    assertThat(match(rule, Map.of("path", "/healthz", PathReadings.NAME, "/login")).claims())
        .extracting(Claim::key)
        .containsExactly(key(rule, Map.of("path", "/login")));
    assertThat(match(rule, Map.of("path", "/a", PathReadings.NAME, "/shut")).blockedBy())
        .isPresent();
  }

  @Test
  void shadowRuleBlocksNoRequestAndARolloutOnlyItsShare() {
    Rule.Builder shadow = Rule.named("r").per(IP).allow(Allowance.BLOCKED).enforced(0);
    assertThat(match(shadow, Map.of("ip", "1.2.3.4")).blockedBy()).isEmpty();
    Rule.Builder half = Rule.named("r").per(IP).allow(Allowance.BLOCKED).enforced(Rule.WHOLE / 2);
    int blocked = 0;
    for (int i = 0; i < 1000; i++) {
      blocked += match(half, Map.of("ip", "1.2.3." + i)).blockedBy().isPresent() ? 1 : 0;
    }
    assertThat(blocked).isBetween(400, 600);
  }

  @Test
  void unusableValuesGainNothing() {
    Map<String, String> unusable =
        Map.of("header x-user", Descriptor.UNUSABLE, "header x-cost", Descriptor.UNUSABLE);
    Rule.Builder rule =
        Rule.named("rule")
            .match(Condition.oneOf("header x-user", "a"))
            .per(USER)
            .whenAbsent(Rule.WhenAbsent.SKIP)
            .cost(new Cost("header x-cost", 1, 7))
            .override(CallerOverride.of(Condition.oneOf("header x-user", "a"), Allowance.UNLIMITED))
            .limit(TEN);
    assertThat(match(rule, unusable).claims())
        .singleElement()
        .extracting(Claim::cost)
        .isEqualTo(7L);
    Rule.Builder byUser = Rule.named("rule").per(USER).limit(TEN);
    assertThat(key(byUser, unusable))
        .isNotEqualTo(key(byUser, Map.of("header x-user", "(unusable)")));
    Rule.Builder byCaller = Rule.named("rule").per(CALLER).limit(TEN);
    assertThat(key(byCaller, Map.of("header x-user", Descriptor.UNUSABLE, "ip", "1.1.1.1")))
        .isEqualTo(key(byCaller, Map.of("ip", "1.1.1.1")));
  }

  @Test
  void shadowBlockIsReportedAndDoesNotBlock() {
    Rule.Builder rule =
        Rule.named("r")
            .per(USER)
            .limit(TEN)
            .override(
                CallerOverride.of(Condition.oneOf("header x-user", "evil"), Allowance.BLOCKED));
    Match shadowed = match(rule.enforced(0), Map.of("header x-user", "evil"));
    assertThat(shadowed.blockedBy()).isEmpty();
    assertThat(shadowed.shadowBlocks()).extracting(Rule::name).containsExactly("r");
    assertThat(match(rule.enforced(Rule.WHOLE), Map.of("header x-user", "evil")).blockedBy())
        .isPresent();
  }
}
