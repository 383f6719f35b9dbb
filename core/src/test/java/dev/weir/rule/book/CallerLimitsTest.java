package dev.weir.rule.book;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Claim;
import dev.weir.Descriptor;
import dev.weir.Limit;
import dev.weir.rule.Allowance;
import dev.weir.rule.CallerLimits;
import dev.weir.rule.CallerOverride;
import dev.weir.rule.Rule;
import dev.weir.rule.condition.Condition;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Limits of single callers that are not in the rules. */
class CallerLimitsTest extends RuleBookFixture {
  private static final Limit DAILY = Limit.fixedWindow(7, Duration.ofDays(1));

  private static Match match(RuleBook book, String user, CallerLimits limits) {
    return book.match(Descriptor.of(Map.of("header x-user", user)), 0, limits);
  }

  /** Of one caller, by whatever rule. */
  private static CallerLimits of(String user, Allowance allowance) {
    return (rule, caller) -> caller.equals(List.of("header x-user", user)) ? allowance : null;
  }

  @Test
  void replaceTheLimitsOfTheRuleAndKeepTheCounter() {
    RuleBook book = book(Rule.named("rule").per(USER).limit(TEN));
    CallerLimits limits = of("acme", Allowance.of(HUNDRED));
    Claim own = match(book, "acme", limits).claims().get(0);
    assertThat(own.limit()).isEqualTo(HUNDRED);
    assertThat(own.key()).isEqualTo(match(book, "acme", CallerLimits.NONE).claims().get(0).key());
    assertThat(match(book, "other", limits).claims().get(0).limit()).isEqualTo(TEN);
  }

  @Test
  void severalLimitsHaveACounterEach() {
    RuleBook book = book(Rule.named("rule").per(USER).limit(TEN));
    Match match = match(book, "acme", of("acme", Allowance.of(HUNDRED, DAILY)));
    assertThat(match.claims()).extracting(Claim::limit).containsExactly(HUNDRED, DAILY);
    assertThat(match.claims()).extracting(Claim::key).doesNotHaveDuplicates();
    assertThat(match.charges())
        .extracting(charge -> charge.policy().name())
        .containsExactly("rule-1s", "rule-86400s");
  }

  @Test
  void blockAndFreeCallers() {
    RuleBook book = book(Rule.named("rule").per(USER).limit(TEN));
    assertThat(match(book, "acme", of("acme", Allowance.BLOCKED)).blockedBy()).isPresent();
    assertThat(match(book, "acme", of("acme", Allowance.UNLIMITED)).claims()).isEmpty();
  }

  @Test
  void comeAfterTheOverridesOfTheRule() {
    CallerOverride acme =
        CallerOverride.of(Condition.oneOf("header x-user", "acme"), Allowance.of(DAILY));
    RuleBook book = book(Rule.named("rule").per(USER).limit(TEN).override(acme));
    Match match = match(book, "acme", of("acme", Allowance.of(HUNDRED)));
    assertThat(match.claims()).extracting(Claim::limit).containsExactly(DAILY);
  }

  @Test
  void doNotConcernRulesThatCountAllCallersTogether() {
    RuleBook book = book(Rule.named("rule").limit(TEN));
    Match match = match(book, "acme", (rule, caller) -> Allowance.BLOCKED);
    assertThat(match.claims()).extracting(Claim::limit).containsExactly(TEN);
  }

  @Test
  void areExplained() {
    RuleBook book = book(Rule.named("rule").per(USER).limit(TEN));
    Allowance own = Allowance.of(HUNDRED);
    Explanation explained =
        book.explain(Descriptor.of(Map.of("header x-user", "acme")), 0, of("acme", own)).get(0);
    assertThat(explained.allowance()).isEqualTo(own);
  }

  @Test
  void anyNumberOfThemIsCounted() {
    RuleBook book = book(Rule.named("rule").per(USER).limit(TEN));
    for (int i = 1; i <= 10_002; i++) { // more than the names that are kept
      Limit limit = Limit.fixedWindow(i, Duration.ofHours(1));
      Match match = match(book, "acme", of("acme", Allowance.of(limit)));
      assertThat(match.claims().get(0).limit()).isEqualTo(limit);
    }
  }
}
