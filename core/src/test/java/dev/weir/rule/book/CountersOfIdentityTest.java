package dev.weir.rule.book;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Claim;
import dev.weir.Descriptor;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.rule.Allowance;
import dev.weir.rule.Identity;
import dev.weir.rule.Rule;
import dev.weir.rule.Tiers;
import dev.weir.rule.action.CallerAction;
import dev.weir.rule.action.CallerActions;
import dev.weir.rule.condition.Condition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** All counters that a caller may have, found by its identity alone. */
class CountersOfIdentityTest extends RuleBookFixture {
  private static final Limit DAILY = Limit.fixedWindow(9, Duration.ofDays(1));
  private static final Limit FLIGHT = Limit.concurrent(2, Duration.ofMinutes(1));
  private static final Tiers TIERS =
      new Tiers(
          "header x-plan",
          Map.of("free", Allowance.of(TEN), "gold", Allowance.of(HUNDRED, DAILY)),
          "free");

  private final RuleBook book =
      book(
          Rule.named("site").limit(TEN),
          Rule.named("user").per(USER).limit(TEN),
          Rule.named("plan").match(Condition.oneOf("method", "POST")).per(CALLER).tiers(TIERS),
          Rule.named("pair").per(USER, IP).limit(TEN),
          Rule.named("trial").per(USER).limit(TEN).enforced(0),
          Rule.named("flight").per(USER).limit(FLIGHT),
          Rule.named("address").per(IP).limit(TEN));

  private static List<String> rules(Map<Rule, Match> counters) {
    return counters.keySet().stream().map(Rule::name).toList();
  }

  private static Set<LimitKey> keys(Match match) {
    List<Claim> claims = new ArrayList<>(match.claims());
    match.shadows().forEach(one -> claims.add(one.claim()));
    return new HashSet<>(claims.stream().map(Claim::key).toList());
  }

  private static Set<LimitKey> keys(Map<Rule, Match> counters) {
    Set<LimitKey> keys = new HashSet<>();
    counters.values().forEach(match -> keys.addAll(keys(match)));
    return keys;
  }

  @Test
  void areThoseOfEveryTierAndOfRulesThatDoNotMatchNow() {
    Map<Rule, Match> counters = book.countersOf(List.of("header x-user", "acme"), 1);
    assertThat(rules(counters)).containsExactly("user", "plan", "trial", "flight");
    Set<LimitKey> matched = new HashSet<>();
    for (String plan : List.of("free", "gold")) {
      Descriptor request =
          Descriptor.of(Map.of("method", "POST", "header x-user", "acme", "header x-plan", plan));
      matched.addAll(keys(book.match(request, 1)));
    }
    matched.remove(key(Rule.named("site").limit(TEN), Map.of()));
    for (List<String> other :
        List.of(List.of("header x-user", "acme", "", "ip"), List.of("", "ip"))) {
      matched.removeAll(keys(book.countersOf(other, 1)));
    }
    assertThat(keys(counters)).isEqualTo(matched);
  }

  @Test
  void identityMayBeAnyOfTheAlternatives() {
    assertThat(rules(book.countersOf(List.of("ip", "192.0.2.1"), 0)))
        .containsExactly("plan", "address");
    assertThat(rules(book.countersOf(List.of("header x-user", "a", "ip", "192.0.2.1"), 0)))
        .containsExactly("pair");
    assertThat(rules(book.countersOf(List.of("", "header x-user", "ip", "192.0.2.1"), 0)))
        .containsExactly("pair");
    for (List<String> other :
        List.of(
            List.of("header x-other", "a"),
            List.of("header x-user"),
            List.of("", "nothing"),
            List.of("header x-user", "a", "ip", "192.0.2.1", "ip", "192.0.2.1"))) {
      assertThat(book.countersOf(other, 0)).as(other.toString()).isEmpty();
    }
  }

  @Test
  void valuesTogetherAreOneAlternative() {
    RuleBook together =
        book(Rule.named("both").per(Identity.all("both", List.of(USER, IP))).limit(TEN));
    List<String> identity = List.of("header x-user", "acme", "ip", "192.0.2.1");
    Descriptor request = Descriptor.of(Map.of("header x-user", "acme", "ip", "192.0.2.1"));
    assertThat(keys(together.countersOf(identity, 0))).isEqualTo(keys(together.match(request)));
  }

  @Test
  void actionsOnTheCallerDoNotMatter() {
    List<String> identity = List.of("header x-user", "acme");
    long hash =
        book.countersOf(identity, 0).values().iterator().next().claims().get(0).key().high();
    RuleBook blocked =
        book.adjusted(
            Map.of(),
            CallerActions.of(List.of(new CallerAction("a", hash, Optional.empty(), true))));
    assertThat(keys(blocked.countersOf(identity, 0))).isEqualTo(keys(book.countersOf(identity, 0)));
  }
}
