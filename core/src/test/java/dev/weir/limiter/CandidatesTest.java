package dev.weir.limiter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Descriptor;
import dev.weir.Limit;
import dev.weir.Operation;
import dev.weir.Store;
import dev.weir.StoreFailure;
import dev.weir.key.KeySpace;
import dev.weir.limiter.Limiter.Listener;
import dev.weir.limiter.Limiter.Outcome;
import dev.weir.memory.MemoryStore;
import dev.weir.rule.Allowance;
import dev.weir.rule.Candidate;
import dev.weir.rule.Rule;
import dev.weir.rule.book.Match;
import dev.weir.rule.book.RuleBook;
import dev.weir.shared.fallback.LocalFallback;
import dev.weir.testkit.time.ManualTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Candidates are judged beside the limits in force, and decide nothing. */
class CandidatesTest {
  private static final Duration DAY = Duration.ofDays(1);

  private final List<Agreement> agreements = new ArrayList<>();
  private final List<Outcome> outcomes = new ArrayList<>();
  private final Listener listener =
      new Listener() {
        @Override
        public void onOutcome(Rule rule, Outcome outcome, Subject subject) {
          outcomes.add(outcome);
        }

        @Override
        public void onCandidate(Rule rule, Agreement agreement) {
          agreements.add(agreement);
        }
      };
  private final MemoryStore store = new MemoryStore(1_000, ManualTicker.at(DAY));
  private final Limiter limiter = new Limiter(store, listener);

  private static Limit window(int permits) {
    return Limit.fixedWindow(permits, DAY);
  }

  private static Rule.Builder rule(int permits, int candidate) {
    return Rule.named("r").limit(window(permits)).candidate(Candidate.of(window(candidate)));
  }

  private static Match match(Rule.Builder... rules) {
    return RuleBook.of(List.of(rules).stream().map(Rule.Builder::build).toList(), KeySpace.random())
        .match(Descriptor.of(Map.of()));
  }

  private int take(int times, Match match) {
    int passed = 0;
    for (int i = 0; i < times; i++) {
      passed += limiter.take(match).join().allowed() ? 1 : 0;
    }
    return passed;
  }

  private long count(Agreement agreement) {
    return agreements.stream().filter(agreement::equals).count();
  }

  @Test
  void stricterCandidateDeniesNothing() {
    assertThat(take(10, match(rule(8, 3)))).isEqualTo(8);
    assertThat(count(Agreement.BOTH_ALLOW)).isEqualTo(3);
    assertThat(count(Agreement.CANDIDATE_DENIES)).isEqualTo(5);
    assertThat(count(Agreement.BOTH_DENY)).isEqualTo(2);
    assertThat(outcomes).hasSize(10);
  }

  @Test
  void candidateThatAllowsMoreCountsWhatTheRuleDenies() {
    assertThat(take(10, match(rule(3, 8)))).isEqualTo(3);
    assertThat(count(Agreement.BOTH_ALLOW)).isEqualTo(3);
    assertThat(count(Agreement.CANDIDATE_ALLOWS)).isEqualTo(5);
    assertThat(count(Agreement.BOTH_DENY)).isEqualTo(2);
  }

  @Test
  void candidateInForceDecidesAndTheRulesOwnLimitIsJudged() {
    Candidate inForce = Candidate.of(window(3)).withRollout(Rule.WHOLE);
    assertThat(take(10, match(Rule.named("r").limit(window(8)).candidate(inForce)))).isEqualTo(3);
    assertThat(count(Agreement.BOTH_ALLOW)).isEqualTo(3);
    assertThat(count(Agreement.CANDIDATE_DENIES)).isEqualTo(5);
    assertThat(count(Agreement.BOTH_DENY)).isEqualTo(2);
  }

  @Test
  void requestThatAnotherRuleDeniesIsNotJudged() {
    Match match = match(rule(8, 5), Rule.named("tight").limit(window(2)));
    assertThat(take(10, match)).isEqualTo(2);
    assertThat(agreements).containsExactly(Agreement.BOTH_ALLOW, Agreement.BOTH_ALLOW);
    assertThat(store.peek(match.twins().get(0).claims()).join().remaining()).isEqualTo(3);
  }

  @Test
  void requestThatAnotherRuleDeniesTooIsNotJudged() {
    take(10, match(rule(2, 5), Rule.named("tight").limit(window(2))));
    assertThat(agreements).hasSize(2);
  }

  @Test
  void candidateWithTwoLimitsIsTakenAllOrNone() {
    Limit week = Limit.fixedWindow(100, DAY.multipliedBy(7));
    Match match = match(Rule.named("r").limit(window(9)).candidate(Candidate.of(window(3), week)));
    take(10, match);
    assertThat(count(Agreement.CANDIDATE_DENIES)).isEqualTo(6);
    List<Claim> longer = match.twins().get(0).claims().subList(1, 2);
    assertThat(store.peek(longer).join().remaining()).isEqualTo(97);
  }

  @Test
  void ruleInShadowIsComparedWithItsCandidate() {
    assertThat(take(10, match(rule(8, 3).enforced(0)))).isEqualTo(10);
    assertThat(count(Agreement.BOTH_ALLOW)).isEqualTo(3);
    assertThat(count(Agreement.CANDIDATE_DENIES)).isEqualTo(5);
    assertThat(count(Agreement.BOTH_DENY)).isEqualTo(2);
    assertThat(outcomes).contains(Outcome.SHADOW_DENIED);
  }

  @Test
  void ruleInShadowIsNotJudgedWhereAnotherDenies() {
    take(10, match(rule(8, 3).enforced(0), Rule.named("tight").limit(window(4))));
    assertThat(agreements).hasSize(4);
  }

  @Test
  void candidateForUnlimitedCallersIsJudged() {
    for (int enforced : new int[] {0, Rule.WHOLE}) {
      agreements.clear();
      Candidate candidate = Candidate.of(window(3));
      Rule.Builder rule = Rule.named("r").allow(Allowance.UNLIMITED).candidate(candidate);
      assertThat(take(5, match(rule.enforced(enforced)))).isEqualTo(5);
      assertThat(count(Agreement.BOTH_ALLOW)).isEqualTo(3);
      assertThat(count(Agreement.CANDIDATE_DENIES)).isEqualTo(2);
    }
  }

  @Test
  void leakyCandidateDelaysNobody() {
    Candidate slow = Candidate.of(Limit.leakyBucket(1, DAY, 2));
    Match match = match(Rule.named("r").limit(window(9)).candidate(slow));
    for (int i = 0; i < 4; i++) {
      assertThat(limiter.take(match).join().delay()).isZero();
    }
    assertThat(count(Agreement.BOTH_ALLOW)).isEqualTo(3);
    assertThat(count(Agreement.CANDIDATE_DENIES)).isEqualTo(1);
  }

  @Test
  void nothingIsJudgedWithoutTheStore() {
    Store failing = (operation, claims) -> Answer.failed(gone());
    LocalFallback fallback = LocalFallback.alone(new MemoryStore());
    Limiter alone = new Limiter(failing, fallback, listener);
    assertThat(alone.take(match(rule(8, 3))).join().allowed()).isTrue();
    assertThat(agreements).isEmpty();
    assertThat(outcomes).hasSize(1);
  }

  @Test
  void storeThatFailsForTheCandidateAloneChangesNothing() {
    Match match = match(rule(8, 3));
    Store failing =
        (operation, claims) -> {
          if (claims.equals(match.twins().get(0).claims())) {
            throw gone();
          }
          return store.apply(operation, claims);
        };
    assertThat(new Limiter(failing, listener).take(match).join().allowed()).isTrue();
    assertThat(agreements).isEmpty();
  }

  @Test
  void answerDoesNotWaitForTheCandidate() {
    Match match = match(rule(8, 3));
    List<CompletableFuture<Decision>> late = new ArrayList<>();
    Store slow =
        (operation, claims) -> {
          if (!claims.equals(match.twins().get(0).claims())) {
            return store.apply(operation, claims);
          }
          late.add(new CompletableFuture<>());
          return Answer.later(late.get(0));
        };
    Answer answer = new Limiter(slow, listener).take(match);
    assertThat(answer).isInstanceOf(Decision.class);
    assertThat(agreements).isEmpty();
    late.get(0).complete(store.apply(Operation.TAKE, match.twins().get(0).claims()).join());
    assertThat(agreements).containsExactly(Agreement.BOTH_ALLOW);
  }

  @Test
  void peekJudgesNothing() {
    Match match = match(rule(8, 3));
    var unused = limiter.peek(match).join();
    assertThat(agreements).isEmpty();
    assertThat(store.peek(match.twins().get(0).claims()).join().remaining()).isEqualTo(3);
  }

  private static StoreFailure gone() {
    return new StoreFailure(StoreFailure.Effect.NONE, "gone", null);
  }
}
