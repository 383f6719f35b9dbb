package dev.weir.rule.book;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Descriptor;
import dev.weir.rule.Allowance;
import dev.weir.rule.CallerOverride;
import dev.weir.rule.Rule;
import dev.weir.rule.action.CallerAction;
import dev.weir.rule.action.CallerActions;
import dev.weir.rule.condition.Condition;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Callers whom an operator blocks or exempts, whatever the rules say. */
class CallerActionMatchTest extends RuleBookFixture {
  private static final Descriptor ACME =
      Descriptor.of(Map.of("header x-user", "acme", "ip", "203.0.113.7", "path", "/"));
  private static final Descriptor OTHER =
      Descriptor.of(Map.of("header x-user", "other", "ip", "203.0.113.7", "path", "/"));

  private final RuleBook book =
      book(
          Rule.named("site").limit(HUNDRED),
          Rule.named("user").per(USER).limit(TEN),
          Rule.named("caller").per(CALLER).limit(HUNDRED),
          Rule.named("address").per(IP).limit(HUNDRED));

  private static long hash(RuleBook book, String rule, Descriptor request) {
    return explained(book, rule, request).caller().hash();
  }

  private static Explanation explained(RuleBook book, String rule, Descriptor request) {
    return book.explain(request, 0).stream()
        .filter(one -> one.rule().name().equals(rule))
        .findFirst()
        .orElseThrow();
  }

  private static RuleBook with(RuleBook book, long caller, String rule, boolean blocked) {
    Optional<String> about = rule.isEmpty() ? Optional.empty() : Optional.of(rule);
    return book.adjusted(
        Map.of(), CallerActions.of(List.of(new CallerAction("a1", caller, about, blocked))));
  }

  private static List<String> charged(RuleBook book, Descriptor request) {
    return book.match(request).charges().stream().map(one -> one.rule().name()).toList();
  }

  @Test
  void hashIsTheUpperHalfOfTheCallersKeys() {
    Match match = book.match(ACME);
    assertThat(match.claims().get(1).key().high()).isEqualTo(hash(book, "user", ACME));
    assertThat(hash(book, "caller", ACME)).isEqualTo(hash(book, "user", ACME));
    assertThat(hash(book, "address", ACME)).isNotEqualTo(hash(book, "user", ACME));
  }

  @Test
  void exemptCallerIsNotCountedByRulesOfThatIdentity() {
    RuleBook exempt = with(book, hash(book, "user", ACME), "", false);
    assertThat(charged(exempt, ACME)).containsExactly("site", "address");
    assertThat(charged(exempt, OTHER)).containsExactly("site", "user", "caller", "address");
    RuleBook byOneRule = with(book, hash(book, "user", ACME), "caller", false);
    assertThat(charged(byOneRule, ACME)).containsExactly("site", "user", "address");
  }

  @Test
  void blockedCallerIsDeniedByTheFirstRuleOfThatIdentity() {
    RuleBook blocked = with(book, hash(book, "user", ACME), "", true);
    assertThat(blocked.match(ACME).blockedBy().orElseThrow().name()).isEqualTo("user");
    assertThat(blocked.match(OTHER).blockedBy()).isEmpty();
    RuleBook byOneRule = with(book, hash(book, "user", ACME), "caller", true);
    assertThat(byOneRule.match(ACME).blockedBy().orElseThrow().name()).isEqualTo("caller");
  }

  @Test
  void actionsGoBeforeOverridesRolloutsAndShadowMode() {
    CallerOverride free =
        CallerOverride.of(Condition.oneOf("header x-user", "acme"), Allowance.UNLIMITED);
    CallerOverride bad =
        CallerOverride.of(Condition.oneOf("header x-user", "acme"), Allowance.BLOCKED);
    for (Rule.Builder rule :
        List.of(
            Rule.named("r").per(USER).limit(TEN).override(free),
            Rule.named("r").per(USER).limit(TEN).override(bad),
            Rule.named("r").per(USER).limit(TEN).enforced(0),
            Rule.named("r").per(USER).limit(TEN).applied(0),
            Rule.named("r").per(USER).limit(TEN).whenAbsent(Rule.WhenAbsent.SKIP))) {
      RuleBook plain = book(rule);
      long caller = hash(plain, "r", ACME);
      assertThat(with(plain, caller, "r", true).match(ACME).blockedBy()).isPresent();
      Match exempt = with(plain, caller, "r", false).match(ACME);
      assertThat(exempt.blockedBy()).isEmpty();
      assertThat(exempt.charges()).isEmpty();
      assertThat(exempt.shadows()).isEmpty();
    }
  }

  @Test
  void ruleThatDoesNotMatchBlocksNobody() {
    RuleBook plain =
        book(Rule.named("r").match(Condition.oneOf("method", "POST")).per(USER).limit(TEN));
    assertThat(with(plain, hash(plain, "r", ACME), "", true).match(ACME).blockedBy()).isEmpty();
  }

  @Test
  void actionIsExplained() {
    long caller = hash(book, "user", ACME);
    Explanation blocked = explained(with(book, caller, "", true), "user", ACME);
    assertThat(blocked.caller().action().orElseThrow().id()).isEqualTo("a1");
    assertThat(blocked.applies()).isTrue();
    assertThat(blocked.match().blockedBy()).isPresent();
    Explanation exempt = explained(with(book, caller, "", false), "user", ACME);
    assertThat(exempt.caller().action()).isPresent();
    assertThat(exempt.applies()).isFalse();
    assertThat(explained(book, "user", ACME).caller().action()).isEmpty();
  }

  @Test
  void subsetKeepsTheActionsAndOtherRulesHaveNone() {
    long caller = hash(book, "user", ACME);
    RuleBook blocked = with(book, caller, "", true);
    assertThat(blocked.subset(rule -> rule.name().equals("user")).match(ACME).blockedBy())
        .isPresent();
    assertThat(blocked.withRules(blocked.rules()).match(ACME).blockedBy()).isEmpty();
    assertThat(blocked.adjusted(Map.of(), CallerActions.NONE).match(ACME).blockedBy()).isEmpty();
  }
}
