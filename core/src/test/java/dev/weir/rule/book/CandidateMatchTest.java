package dev.weir.rule.book;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Claim;
import dev.weir.Descriptor;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.rule.Allowance;
import dev.weir.rule.CallerOverride;
import dev.weir.rule.Candidate;
import dev.weir.rule.Multiple;
import dev.weir.rule.Percent;
import dev.weir.rule.Rule;
import dev.weir.rule.Tiers;
import dev.weir.rule.action.AdjustedRule;
import dev.weir.rule.condition.Condition;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a rule with a candidate charges, and to which counters. */
class CandidateMatchTest extends RuleBookFixture {
  private static final Limit FIVE = Limit.slidingLog(5, Duration.ofMinutes(1));
  private static final Limit DAY = Limit.fixedWindow(50, Duration.ofDays(1));
  private static final Map<String, String> ANN = Map.of("header x-user", "ann");

  private static Rule.Builder rule(Candidate candidate) {
    return Rule.named("r").per(USER).limit(TEN).candidate(candidate);
  }

  private static Map<String, String> caller(int number) {
    return Map.of("header x-user", "u" + number);
  }

  private Set<Integer> inForce(RuleBook book) {
    Set<Integer> callers = new HashSet<>();
    for (int i = 0; i < 2_000; i++) {
      if (!book.match(Descriptor.of(caller(i))).twins().get(0).ofCandidate()) {
        callers.add(i);
      }
    }
    return callers;
  }

  private static List<Limit> limits(List<Charge> charges) {
    return charges.stream().map(one -> one.claim().limit()).toList();
  }

  private static Limit named(Limit limit) {
    return limit.ofRule("r");
  }

  @Test
  void candidateHasCountersOfItsOwn() {
    Match match = match(rule(Candidate.of(TEN, DAY)), ANN);
    Match plain = match(Rule.named("r").per(USER).limit(TEN), ANN);
    assertThat(match.claims()).isEqualTo(plain.claims());
    Set<LimitKey> keys = new HashSet<>();
    match.claims().forEach(one -> keys.add(one.key()));
    Twin twin = match.twins().get(0);
    twin.claims().forEach(one -> keys.add(one.key()));
    assertThat(keys).hasSize(3);
    assertThat(twin.ofCandidate()).isTrue();
    assertThat(twin.shadow()).isFalse();
    assertThat(twin.claims()).extracting(Claim::keyHigh).containsOnly(keyHigh(plain));
  }

  private static long keyHigh(Match match) {
    return match.claims().get(0).keyHigh();
  }

  @Test
  void limitsInForceAreNamedAsWithoutACandidate() {
    Match match = match(rule(Candidate.of(FIVE).withRollout(Rule.WHOLE)), ANN);
    assertThat(match.charges()).extracting(one -> one.policy().name()).containsExactly("r");
    assertThat(limits(match.charges())).containsExactly(named(FIVE));
    Twin twin = match.twins().get(0);
    assertThat(twin.ofCandidate()).isFalse();
    assertThat(limits(twin.charges())).containsExactly(named(TEN));
  }

  @Test
  void countersStayTheSameWhenTheCandidateComesIntoForce() {
    Match before = match(rule(Candidate.of(FIVE)), ANN);
    Match after = match(rule(Candidate.of(FIVE).withRollout(Rule.WHOLE)), ANN);
    assertThat(after.claims()).isEqualTo(before.twins().get(0).claims());
    assertThat(after.twins().get(0).claims()).isEqualTo(before.claims());
  }

  @Test
  void rolloutGrowsByCallers() {
    Set<Integer> before = Set.of();
    for (int share : List.of(0, 100, 1_000, 5_000, Rule.WHOLE)) {
      RuleBook book = book(rule(Candidate.of(FIVE).withRollout(share)));
      Set<Integer> now = inForce(book);
      assertThat(now).as(Percent.of(share)).containsAll(before).isEqualTo(inForce(book));
      assertThat(now.size()).isBetween(share / 5 - 90, share / 5 + 90);
      before = now;
    }
    assertThat(before).hasSize(2_000);
  }

  @Test
  void rolloutTakesTheCallersThatARolloutOfTheRuleWould() {
    RuleBook candidate = book(rule(Candidate.of(FIVE).withRollout(2_500)));
    RuleBook rule = book(Rule.named("r").per(USER).limit(TEN).enforced(2_500));
    List<Integer> enforced =
        IntStream.range(0, 2_000)
            .filter(i -> !rule.match(Descriptor.of(caller(i))).claims().isEmpty())
            .boxed()
            .toList();
    assertThat(inForce(candidate)).containsExactlyInAnyOrderElementsOf(enforced);
  }

  @Test
  void callersWithLimitsOfTheirOwnAreNotJudged() {
    Condition ann = Condition.oneOf("header x-user", "ann");
    for (Allowance own : List.of(Allowance.of(HUNDRED), Allowance.UNLIMITED, Allowance.BLOCKED)) {
      Rule.Builder rule = rule(Candidate.of(FIVE).withRollout(Rule.WHOLE));
      assertThat(match(rule.override(CallerOverride.of(ann, own)), ANN).twins()).isEmpty();
      assertThat(match(rule, caller(1)).twins()).hasSize(1);
    }
  }

  @Test
  void multiplesApplyToTheCandidateToo() {
    Condition ann = Condition.oneOf("header x-user", "ann");
    Multiple twice = new Multiple(2 * Multiple.WHOLE);
    Rule.Builder rule = rule(Candidate.of(FIVE)).override(CallerOverride.of(ann, twice));
    Twin twin = match(rule, ANN).twins().get(0);
    assertThat(limits(twin.charges())).containsExactly(named(twice.of(FIVE)));
    assertThat(rule.build().allowances()).doesNotContain(Allowance.of(FIVE));
  }

  @Test
  void onlyTiersWithACandidateAreJudged() {
    Tiers tiers =
        new Tiers(
            "header x-plan",
            Map.of(
                "free", Allowance.of(TEN),
                "pro", Allowance.of(HUNDRED),
                "partner", new Allowance(false, List.of())),
            "free");
    Candidate candidate =
        Candidate.of(Map.of("free", Allowance.of(FIVE), "partner", Allowance.of(DAY)));
    Rule.Builder rule = Rule.named("r").per(USER).tiers(tiers).candidate(candidate);
    assertThat(limits(match(rule, ANN).twins().get(0).charges())).containsExactly(named(FIVE));
    Map<String, String> pro = Map.of("header x-user", "ann", "header x-plan", "pro");
    assertThat(match(rule, pro).twins()).isEmpty();
    Map<String, String> partner = Map.of("header x-user", "ann", "header x-plan", "partner");
    Match match = match(rule, partner);
    assertThat(match.charges()).isEmpty();
    assertThat(limits(match.twins().get(0).charges())).containsExactly(named(DAY));
  }

  @Test
  void blockedCallersAreNotJudged() {
    Rule.Builder rule = Rule.named("r").per(USER).allow(Allowance.BLOCKED);
    Match match = match(rule.candidate(Candidate.of(FIVE)), ANN);
    assertThat(match.blockedBy()).isPresent();
    assertThat(match.twins()).isEmpty();
  }

  @Test
  void actionsOfOperatorsAdjustTheCandidateToo() {
    Rule rule = rule(Candidate.of(FIVE).withRollout(700)).build();
    Multiple twice = new Multiple(2 * Multiple.WHOLE);
    Candidate doubled = AdjustedRule.times(rule, twice).candidate().orElseThrow();
    assertThat(doubled).isEqualTo(Candidate.of(twice.of(FIVE)).withRollout(700));
    assertThat(AdjustedRule.shadow(rule).candidate()).isEqualTo(rule.candidate());
  }

  @Test
  void countersOfACallerIncludeThoseOfTheCandidate() {
    RuleBook book = book(rule(Candidate.of(FIVE)));
    Match all = book.countersOf(List.of("header x-user", "ann"), 0).values().iterator().next();
    assertThat(limits(all.charges())).containsExactly(named(TEN), named(FIVE));
  }

  @Test
  void unsuitableCandidatesAreRejected() {
    Limit held = Limit.concurrent(3, Duration.ofMinutes(1));
    assertThatThrownBy(() -> Candidate.of(held))
        .hasMessage(
            "candidate: " + held + " (expected: no concurrent, which a rule in shadow tries out)");
    assertThatThrownBy(() -> Candidate.of(Allowance.BLOCKED))
        .hasMessage("candidate: blocked (expected: limits; a candidate blocks nobody)");
    Rule.Builder beside = Rule.named("r").limit(TEN, held).candidate(Candidate.of(FIVE));
    assertThatThrownBy(beside::build)
        .hasMessage("candidate: beside concurrent (expected: concurrent in a rule of its own)");
    Rule.Builder tiers = rule(Candidate.of(Map.of("free", Allowance.of(FIVE))));
    assertThatThrownBy(tiers::build).hasMessage("candidate: tiers (expected: a rule with tiers)");
  }

  @Test
  void candidateCostsWhatTheRuleCosts() {
    Match match = match(rule(Candidate.of(FIVE)), ANN).withCost(OptionalLong.of(3));
    assertThat(match.claims()).extracting(Claim::cost).containsExactly(3L);
    assertThat(match.twins().get(0).claims()).extracting(Claim::cost).containsExactly(3L);
  }
}
