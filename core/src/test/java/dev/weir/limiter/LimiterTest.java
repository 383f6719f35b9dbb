package dev.weir.limiter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Decision.Basis;
import dev.weir.Decision.Verdict;
import dev.weir.Descriptor;
import dev.weir.Limit;
import dev.weir.Mode;
import dev.weir.Operation;
import dev.weir.Store;
import dev.weir.StoreFailure;
import dev.weir.async.Scheduler;
import dev.weir.key.KeySpace;
import dev.weir.limiter.Limiter.Outcome;
import dev.weir.memory.MemoryStore;
import dev.weir.rule.Allowance;
import dev.weir.rule.FailureMode;
import dev.weir.rule.Rule;
import dev.weir.rule.book.Match;
import dev.weir.rule.book.RuleBook;
import dev.weir.shared.fallback.LocalFallback;
import dev.weir.shared.fleet.Fleet;
import dev.weir.shared.fleet.Roster;
import dev.weir.shared.lease.ModeRoutingStore;
import dev.weir.time.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Decisions, failure modes and cancellation. */
class LimiterTest {
  private static final Limit TWO = Limit.fixedWindow(2, Duration.ofDays(3_000));

  private final List<String> outcomes = new ArrayList<>();
  private final LocalFallback fallback = LocalFallback.alone(new MemoryStore());
  private final Limiter.Listener listener =
      (rule, outcome, subject) -> outcomes.add(rule + " " + outcome);

  /** A store that always fails. */
  private static final class FailingStore implements Store {
    @Override
    public Answer apply(Operation operation, List<Claim> claims) {
      return Answer.failed(new StoreFailure(StoreFailure.Effect.UNKNOWN, "gone", null));
    }
  }

  private static Match match(Rule.Builder... rules) {
    return RuleBook.of(List.of(rules).stream().map(Rule.Builder::build).toList(), KeySpace.random())
        .match(Descriptor.of(Map.of()));
  }

  private static Rule.Builder rule(String name, FailureMode whenStoreFails) {
    return Rule.named(name).limit(TWO).failureMode(whenStoreFails);
  }

  @Test
  void decisiveRuleIsNamed() {
    Limiter limiter = new Limiter(new MemoryStore(), listener);
    Rule.Builder wide = Rule.named("wide").limit(Limit.fixedWindow(9, Duration.ofDays(3_000)));
    Match match = match(wide, rule("tight", FailureMode.DENY));
    assertThat(match.decisiveRule(limiter.take(match).join())).map(Rule::name).contains("tight");
    limiter.take(match).join();
    Decision denied = limiter.take(match).join();
    assertThat(denied.allowed()).isFalse();
    assertThat(match.decisiveRule(denied)).map(Rule::name).contains("tight");
  }

  @Test
  void ruleThatBlocksIsDecisive() {
    Limiter limiter = new Limiter(new MemoryStore(), listener);
    Match match =
        match(rule("innocent", FailureMode.DENY), Rule.named("ban").allow(Allowance.BLOCKED));
    Decision denied = limiter.take(match).join();
    assertThat(denied.verdict()).isEqualTo(Verdict.NEVER);
    assertThat(denied.decisive()).isEmpty();
    assertThat(match.decisiveRule(denied)).map(Rule::name).contains("ban");
    assertThat(limiter.peek(match).join()).isEqualTo(denied);
  }

  @Test
  void noRuleIsDecisiveWhereNoneApplies() {
    Limiter limiter = new Limiter(new MemoryStore(), listener);
    Match match = match();
    Decision decision = limiter.take(match).join();
    assertThat(decision.allowed()).isTrue();
    assertThat(match.decisiveRule(decision)).isEmpty();
  }

  /** A store that answers when the test calls {@link #answer}. */
  private static final class SlowStore implements Store {
    private final MemoryStore counters = new MemoryStore();
    private final List<Runnable> answers = new ArrayList<>();

    @Override
    public Answer apply(Operation operation, List<Claim> claims) {
      CompletableFuture<Decision> answer = new CompletableFuture<>();
      answers.add(() -> answer.complete(counters.apply(operation, claims).join()));
      return Answer.later(answer);
    }

    private void answer() {
      while (!answers.isEmpty()) {
        answers.remove(0).run();
      }
    }

    private long remaining(Match match) {
      return counters.peek(List.of(match.claims().get(0).withCost(0))).remaining();
    }
  }

  @Test
  void grantToACancelledCallerIsRefunded() {
    SlowStore slow = new SlowStore();
    Limiter limiter = new Limiter(slow, fallback, listener);
    Match match = match(rule("a", FailureMode.LOCAL));
    assertThat(limiter.take(match).stage().toCompletableFuture().cancel(true)).isTrue();
    Answer kept = limiter.take(match);
    slow.answer();
    assertThat(kept.join().allowed()).isTrue();
    assertThat(slow.remaining(match)).isEqualTo(1);
    Match local = Match.of(match.charges().get(0));
    Limiter gone = new Limiter(new FailingStore(), fallback, listener);
    assertThat(gone.peek(local).join().remaining()).as("in the fallback").isEqualTo(1);
  }

  @Test
  void nothingIsCountedLocallyForACancelledCaller() {
    CompletableFuture<Decision> failing = new CompletableFuture<>();
    Limiter limiter =
        new Limiter(
            new Store() {
              @Override
              public Answer apply(Operation operation, List<Claim> claims) {
                return Answer.later(failing);
              }
            },
            fallback,
            listener);
    Match match = match(rule("a", FailureMode.LOCAL));
    assertThat(limiter.take(match).stage().toCompletableFuture().cancel(true)).isTrue();
    failing.completeExceptionally(new StoreFailure(StoreFailure.Effect.NONE, "gone", null));
    assertThat(fallback.pendingKeys()).isZero();
    assertThat(outcomes).isEmpty();
  }

  @Test
  void withoutTheStoreRulesThatAllowAreUncounted() {
    Limiter limiter = new Limiter(new FailingStore(), fallback, listener);
    Match match = match(rule("a", FailureMode.ALLOW), rule("b", FailureMode.ALLOW));
    for (int i = 0; i < 5; i++) {
      assertThat(limiter.take(match).join().allowed()).isTrue();
    }
    assertThat(outcomes).hasSize(10).contains("a " + Outcome.UNCOUNTED, "b " + Outcome.UNCOUNTED);
  }

  @Test
  void withoutTheStoreLocalRulesCountAtTheirIndexAmongTheOthers() {
    Limiter limiter = new Limiter(new FailingStore(), fallback, listener);
    Match match =
        match(
            rule("a", FailureMode.ALLOW),
            rule("b", FailureMode.LOCAL),
            rule("c", FailureMode.ALLOW));
    assertThat(limiter.take(match).join().each())
        .extracting(Decision::remaining)
        .containsExactly(2L, 1L, 2L);
    assertThat(limiter.take(match).join().allowed()).isTrue();
    Decision denied = limiter.take(match).join();
    assertThat(denied.verdict()).isEqualTo(Verdict.DENIED);
    assertThat(denied.decisive()).hasValue(1);
    assertThat(outcomes).contains("b " + Outcome.DENIED);
  }

  @Test
  void withoutTheStoreARuleThatDeniesFailsTheAnswer() {
    Limiter limiter = new Limiter(new FailingStore(), fallback, listener);
    Match match = match(rule("a", FailureMode.LOCAL), rule("b", FailureMode.DENY));
    assertThatThrownBy(() -> limiter.take(match).join())
        .isInstanceOf(StoreFailure.class)
        .hasMessage("gone");
    assertThat(outcomes).containsExactly("a " + Outcome.DENIED_BY_OTHER, "b " + Outcome.UNANSWERED);
  }

  @Test
  void synchronousDecisionIsReturnedAsIs() {
    Limiter limiter = new Limiter(new MemoryStore(), listener);
    Match match = match(rule("a", FailureMode.DENY));
    assertThat(limiter.take(match)).isInstanceOf(Decision.class);
    assertThat(outcomes).containsExactly("a " + Outcome.ALLOWED);
  }

  private static Rule.Builder local(String name, FailureMode whenStoreFails) {
    return rule(name, whenStoreFails).mode(Mode.local());
  }

  /** A limiter that counts rules in local mode beside the store. */
  private Limiter withModes(Store store, Fleet fleet) {
    MemoryStore counters = new MemoryStore();
    Store routing = new ModeRoutingStore(store, counters, fleet, new StoppedScheduler());
    return new Limiter(routing, new LocalFallback(counters, fleet, Ticker.system()), listener);
  }

  private static final class StoppedScheduler implements Scheduler {
    @Override
    public long nanos() {
      return 0;
    }

    @Override
    public void schedule(long nanos, Runnable work) {}
  }

  private static final class FourServers implements Roster {
    @Override
    public CompletionStage<Roll> announce(String server, Duration lasting) {
      return CompletableFuture.completedStage(new Roll(List.of("a", "b", "c", "d"), "epoch"));
    }

    @Override
    public CompletionStage<Void> leave(String server) {
      return CompletableFuture.completedStage(null);
    }
  }

  @Test
  void localRuleIsCountedWithoutTheStoreInAnyFailureMode() {
    Fleet four = new Fleet("b", new FourServers(), new StoppedScheduler());
    assertThat(four.announce().toCompletableFuture().join()).isFalse();
    for (FailureMode then : FailureMode.values()) {
      Limiter limiter = withModes(new FailingStore(), four);
      Match match = match(local("a", then), rule("b", FailureMode.ALLOW));
      assertThat(limiter.take(match).join().each())
          .extracting(Decision::basis)
          .containsExactly(Basis.COUNTED, Basis.UNCOUNTED);
      assertThat(limiter.take(match).join().allowed()).isTrue();
      assertThat(limiter.take(match).join().allowed()).as(then.name()).isFalse();
    }
    assertThat(outcomes).contains("a " + Outcome.DENIED).doesNotContain("a " + Outcome.UNANSWERED);
  }

  @Test
  void localRuleIsCountedOnceWhileTheStoreAnswers() {
    for (FailureMode then : FailureMode.values()) {
      Limiter limiter = withModes(new MemoryStore(), Fleet.alone());
      Match match = match(local("a", then), rule("b", FailureMode.ALLOW));
      assertThat(limiter.take(match).join().each())
          .extracting(Decision::remaining)
          .containsExactly(1L, 1L);
      assertThat(limiter.take(match).join().allowed()).as(then.name()).isTrue();
      assertThat(limiter.take(match).join().allowed()).isFalse();
    }
  }
}
