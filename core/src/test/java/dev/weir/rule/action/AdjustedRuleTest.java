package dev.weir.rule.action;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Claim;
import dev.weir.Descriptor;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.key.KeySpace;
import dev.weir.rule.Allowance;
import dev.weir.rule.CallerOverride;
import dev.weir.rule.FailureMode;
import dev.weir.rule.Identity;
import dev.weir.rule.Multiple;
import dev.weir.rule.Rule;
import dev.weir.rule.Tiers;
import dev.weir.rule.book.Charge;
import dev.weir.rule.book.Match;
import dev.weir.rule.book.RuleBook;
import dev.weir.rule.condition.Condition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Rules while operators multiply them, or put them into shadow mode. */
class AdjustedRuleTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Multiple TWICE = new Multiple(2 * Multiple.WHOLE);
  private static final Multiple HALF = new Multiple(Multiple.WHOLE / 2);
  private static final Allowance FREE = Allowance.of(Limit.fixedWindow(10, MINUTE));
  private static final Allowance GOLD =
      Allowance.of(
          Limit.tokenBucket(100, MINUTE, 200), Limit.fixedWindow(1_000, Duration.ofDays(1)));

  private static final Rule RULE =
      Rule.named("plan")
          .match(Condition.oneOf("method", "POST"))
          .per(Identity.of("header x-user"))
          .tiers(
              new Tiers(
                  "header x-plan",
                  Map.of("free", FREE, "gold", GOLD),
                  "free",
                  List.of(CallerOverride.of(Condition.oneOf("header x-user", "listed"), GOLD))))
          .override(
              CallerOverride.of(
                  Condition.oneOf("header x-user", "own"),
                  Allowance.of(Limit.slidingLog(7, MINUTE))),
              CallerOverride.of(
                  Condition.oneOf("header x-user", "triple"), new Multiple(3_000_000)),
              CallerOverride.of(Condition.oneOf("header x-user", "bad"), Allowance.BLOCKED),
              CallerOverride.of(Condition.oneOf("header x-user", "friend"), Allowance.UNLIMITED))
          .failureMode(FailureMode.DENY)
          .blockedStatus(403)
          .build();

  private final RuleBook book =
      RuleBook.of(
          List.of(RULE, Rule.named("other").limit(Limit.fixedWindow(3, MINUTE)).build()),
          KeySpace.random());

  private RuleBook with(Rule adjusted) {
    return book.adjusted(Map.of(adjusted.name(), adjusted), CallerActions.NONE);
  }

  private static Match match(RuleBook book, String user, String plan) {
    return book.match(
        Descriptor.of(Map.of("method", "POST", "header x-user", user, "header x-plan", plan)));
  }

  private static List<String> limits(RuleBook book, String user, String plan) {
    return match(book, user, plan).claims().stream().map(one -> one.limit().toString()).toList();
  }

  @Test
  void everyLimitOfTheRuleIsMultipliedAndNoOther() {
    RuleBook twice = with(AdjustedRule.times(RULE, TWICE));
    Limit other = Limit.fixedWindow(3, MINUTE);
    assertThat(limits(twice, "any", "none"))
        .containsExactly(Limit.fixedWindow(20, MINUTE).toString(), other.toString());
    List<String> gold =
        List.of(
            Limit.tokenBucket(200, MINUTE, 400).toString(),
            Limit.fixedWindow(2_000, Duration.ofDays(1)).toString(),
            other.toString());
    assertThat(limits(twice, "any", "gold")).isEqualTo(gold);
    assertThat(limits(twice, "listed", "free")).isEqualTo(gold);
    assertThat(limits(twice, "own", "gold"))
        .containsExactly(Limit.slidingLog(14, MINUTE).toString(), other.toString());
    assertThat(limits(twice, "triple", "free"))
        .containsExactly(Limit.fixedWindow(60, MINUTE).toString(), other.toString());
    assertThat(match(twice, "bad", "gold").blockedBy()).isPresent();
    assertThat(limits(twice, "friend", "gold")).containsExactly(other.toString());
  }

  @Test
  void adjustedRuleCountsInTheSameCounters() {
    for (Rule adjusted : List.of(AdjustedRule.times(RULE, HALF), AdjustedRule.shadow(RULE))) {
      for (String user : List.of("any", "listed", "own", "triple")) {
        for (String plan : List.of("free", "gold")) {
          assertThat(keys(match(with(adjusted), user, plan)))
              .as(user + " " + plan)
              .containsExactlyInAnyOrderElementsOf(keys(match(book, user, plan)));
        }
      }
    }
  }

  private static List<LimitKey> keys(Match match) {
    List<Claim> claims = new ArrayList<>(match.claims());
    match.shadows().forEach(charge -> claims.add(charge.claim()));
    return claims.stream().map(Claim::key).toList();
  }

  @Test
  void shadowCountsAndDeniesNobody() {
    Match match = match(with(AdjustedRule.shadow(RULE)), "any", "gold");
    assertThat(match.shadows()).hasSize(2).noneMatch(Charge::enforced);
    assertThat(match.charges()).hasSize(1);
    Match blocked = match(with(AdjustedRule.shadow(RULE)), "bad", "gold");
    assertThat(blocked.blockedBy()).isEmpty();
    assertThat(blocked.shadowBlocks()).extracting(Rule::name).containsExactly("plan");
  }

  @Test
  void whatIsNotAdjustedStays() {
    for (Rule adjusted : List.of(AdjustedRule.times(RULE, TWICE), AdjustedRule.shadow(RULE))) {
      assertThat(adjusted.name()).isEqualTo("plan");
      assertThat(adjusted.match()).isEqualTo(RULE.match());
      assertThat(adjusted.per()).isEqualTo(RULE.per());
      assertThat(adjusted.whenAbsent()).isEqualTo(RULE.whenAbsent());
      assertThat(adjusted.cost()).isEqualTo(RULE.cost());
      assertThat(adjusted.failureMode()).isEqualTo(FailureMode.DENY);
      assertThat(adjusted.mode()).isEqualTo(RULE.mode());
      assertThat(adjusted.applied()).isEqualTo(RULE.applied());
      assertThat(adjusted.blockedStatus()).isEqualTo(403);
    }
    assertThat(AdjustedRule.times(RULE, TWICE).enforced()).isEqualTo(Rule.WHOLE);
    assertThat(AdjustedRule.shadow(RULE).allowances()).isEqualTo(RULE.allowances());
    // A descriptor of the edge still fits without being translated.
    assertThat(with(AdjustedRule.shadow(RULE)).names()).isSameAs(book.names());
  }

  @Test
  void multipleThatLeavesNoPermitIsRejected() {
    assertThatThrownBy(() -> AdjustedRule.times(RULE, new Multiple(50_000)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageMatching("permits: 0.05x of (7|10) \\(expected: at least one permit\\)");
    assertThatThrownBy(() -> AdjustedRule.times(RULE, new Multiple(Long.MAX_VALUE)))
        .hasMessageContaining("(expected: at most ");
  }
}
