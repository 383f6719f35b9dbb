package dev.weir.rule;

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
import dev.weir.Store;
import dev.weir.StoreFailure;
import dev.weir.Ticker;
import dev.weir.guard.Fleet;
import dev.weir.guard.Roster;
import dev.weir.guard.Standby;
import dev.weir.guard.Timers;
import dev.weir.key.KeySpace;
import dev.weir.lease.ByMode;
import dev.weir.memory.MemoryStore;
import dev.weir.operation.Operation;
import dev.weir.operation.UniformStore;
import dev.weir.rule.Limiter.Outcome;
import dev.weir.rule.Rule.WhenStoreFails;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class LimiterTest {
  private static final Limit TWO = Limit.fixedWindow(2, Duration.ofDays(3_000));

  private final List<String> told = new ArrayList<>();
  private final Standby standby = Standby.alone(new MemoryStore());
  private final Limiter.Watcher watcher = (rule, outcome) -> told.add(rule + " " + outcome);

  /** A store that never answers anything. */
  private static final class Gone extends UniformStore {
    @Override
    protected Answer ask(Operation operation, List<Claim> claims) {
      return Answer.failed(new StoreFailure(StoreFailure.Effect.UNKNOWN, "gone", null));
    }
  }

  private static Match match(Rule.Builder... rules) {
    return RuleBook.of(List.of(rules).stream().map(Rule.Builder::build).toList(), KeySpace.random())
        .match(Descriptor.of(Map.of()));
  }

  private static Rule.Builder rule(String name, WhenStoreFails whenStoreFails) {
    return Rule.named(name).limit(TWO).whenStoreFails(whenStoreFails);
  }

  @Test
  void theRuleThatDecidedIsNamed() {
    Limiter limiter = new Limiter(new MemoryStore(), watcher);
    Rule.Builder wide = Rule.named("wide").limit(Limit.fixedWindow(9, Duration.ofDays(3_000)));
    Match match = match(wide, rule("tight", WhenStoreFails.DENY));
    assertThat(match.decisiveRule(limiter.take(match).join())).map(Rule::name).contains("tight");
    limiter.take(match).join();
    Decision denied = limiter.take(match).join();
    assertThat(denied.allowed()).isFalse();
    assertThat(match.decisiveRule(denied)).map(Rule::name).contains("tight");
  }

  @Test
  void aBlockIsBlamedOnTheRuleThatBlocks() {
    Limiter limiter = new Limiter(new MemoryStore(), watcher);
    Match match =
        match(rule("innocent", WhenStoreFails.DENY), Rule.named("ban").allow(Allowance.BLOCKED));
    Decision denied = limiter.take(match).join();
    assertThat(denied.verdict()).isEqualTo(Verdict.NEVER);
    assertThat(denied.decisive()).isEmpty();
    assertThat(match.decisiveRule(denied)).map(Rule::name).contains("ban");
    assertThat(limiter.look(match).join()).isEqualTo(denied);
  }

  @Test
  void whereNoRuleAppliesNoneDecides() {
    Limiter limiter = new Limiter(new MemoryStore(), watcher);
    Match match = match();
    Decision decision = limiter.take(match).join();
    assertThat(decision.allowed()).isTrue();
    assertThat(match.decisiveRule(decision)).isEmpty();
  }

  /** A store that answers when the test says so. */
  private static final class Slow extends UniformStore {
    private final MemoryStore counters = new MemoryStore();
    private final List<Runnable> answers = new ArrayList<>();

    @Override
    protected Answer ask(Operation operation, List<Claim> claims) {
      CompletableFuture<Decision> answer = new CompletableFuture<>();
      answers.add(() -> answer.complete(operation.on(counters, claims).join()));
      return Answer.later(answer);
    }

    private void answer() {
      while (!answers.isEmpty()) {
        answers.remove(0).run();
      }
    }

    private long left(Match match) {
      return counters.look(List.of(match.claims().get(0).costing(0))).remaining();
    }
  }

  @Test
  void whatIsGrantedToACallerWhoCancelledIsGivenBack() {
    Slow slow = new Slow();
    Limiter limiter = new Limiter(slow, standby, watcher);
    Match match = match(rule("a", WhenStoreFails.LOCAL));
    assertThat(limiter.take(match).stage().toCompletableFuture().cancel(true)).isTrue();
    Answer kept = limiter.take(match);
    slow.answer();
    assertThat(kept.join().allowed()).isTrue();
    assertThat(slow.left(match)).isEqualTo(1);
    Match beside = match.only(0);
    Limiter gone = new Limiter(new Gone(), standby, watcher);
    assertThat(gone.look(beside).join().remaining()).as("beside the store").isEqualTo(1);
  }

  @Test
  void nothingIsCountedLocallyForACallerWhoCancelled() {
    CompletableFuture<Decision> failing = new CompletableFuture<>();
    Limiter limiter =
        new Limiter(
            new UniformStore() {
              @Override
              protected Answer ask(Operation operation, List<Claim> claims) {
                return Answer.later(failing);
              }
            },
            standby,
            watcher);
    Match match = match(rule("a", WhenStoreFails.LOCAL));
    assertThat(limiter.take(match).stage().toCompletableFuture().cancel(true)).isTrue();
    failing.completeExceptionally(new StoreFailure(StoreFailure.Effect.NONE, "gone", null));
    assertThat(standby.owing()).isZero();
    assertThat(told).isEmpty();
  }

  @Test
  void withoutAStoreRulesThatAllowAreLeftOut() {
    Limiter limiter = new Limiter(new Gone(), standby, watcher);
    Match match = match(rule("a", WhenStoreFails.ALLOW), rule("b", WhenStoreFails.ALLOW));
    for (int i = 0; i < 5; i++) {
      assertThat(limiter.take(match).join().allowed()).isTrue();
    }
    assertThat(told).hasSize(10).contains("a " + Outcome.UNCOUNTED, "b " + Outcome.UNCOUNTED);
  }

  @Test
  void withoutAStoreRulesThatCountLocallyCountInTheirPlaceAmongTheOthers() {
    Limiter limiter = new Limiter(new Gone(), standby, watcher);
    Match match =
        match(
            rule("a", WhenStoreFails.ALLOW),
            rule("b", WhenStoreFails.LOCAL),
            rule("c", WhenStoreFails.ALLOW));
    assertThat(limiter.take(match).join().each())
        .extracting(Decision::remaining)
        .containsExactly(2L, 1L, 2L);
    assertThat(limiter.take(match).join().allowed()).isTrue();
    Decision denied = limiter.take(match).join();
    assertThat(denied.verdict()).isEqualTo(Verdict.DENIED);
    assertThat(denied.decisive()).hasValue(1);
    assertThat(told).contains("b " + Outcome.DENIED);
  }

  @Test
  void withoutAStoreARuleThatDeniesMakesTheAnswerFail() {
    Limiter limiter = new Limiter(new Gone(), standby, watcher);
    Match match = match(rule("a", WhenStoreFails.LOCAL), rule("b", WhenStoreFails.DENY));
    assertThatThrownBy(() -> limiter.take(match).join())
        .isInstanceOf(StoreFailure.class)
        .hasMessage("gone");
    assertThat(told).containsExactly("a " + Outcome.DENIED_BY_OTHER, "b " + Outcome.UNANSWERED);
  }

  @Test
  void whatAnswersIsNotDoubted() {
    Limiter limiter = new Limiter(new MemoryStore(), watcher);
    Match match = match(rule("a", WhenStoreFails.DENY));
    assertThat(limiter.take(match)).isInstanceOf(Decision.class);
    assertThat(told).containsExactly("a " + Outcome.ALLOWED);
  }

  private static Rule.Builder local(String name, WhenStoreFails whenStoreFails) {
    return rule(name, whenStoreFails).mode(Mode.local());
  }

  /** Rules of this server alone, beside one that the store counts, with whatever it says. */
  private Limiter byMode(Store store, Fleet fleet) {
    MemoryStore here = new MemoryStore();
    Store byMode = new ByMode(store, here, fleet, new NoTimers());
    return new Limiter(byMode, new Standby(here, fleet, Ticker.system()), watcher);
  }

  private static final class NoTimers implements Timers {
    @Override
    public long nanos() {
      return 0;
    }

    @Override
    public void after(long nanos, Runnable work) {}
  }

  private static final class FourServers implements Roster {
    @Override
    public CompletionStage<Roll> announce(String server, Duration lasting) {
      return CompletableFuture.completedStage(new Roll(List.of("a", "b", "c", "d"), "memory"));
    }

    @Override
    public CompletionStage<Void> leave(String server) {
      return CompletableFuture.completedStage(null);
    }
  }

  @Test
  void aRuleOfThisServerAloneHoldsWhileTheStoreIsGoneWhateverItSaysOfThat() {
    Fleet four = new Fleet("b", new FourServers(), new NoTimers());
    assertThat(four.announce().toCompletableFuture().join()).isFalse();
    for (WhenStoreFails then : WhenStoreFails.values()) {
      Limiter limiter = byMode(new Gone(), four);
      Match match = match(local("a", then), rule("b", WhenStoreFails.ALLOW));
      assertThat(limiter.take(match).join().each())
          .extracting(Decision::basis)
          .containsExactly(Basis.COUNTED, Basis.UNCOUNTED);
      assertThat(limiter.take(match).join().allowed()).isTrue();
      assertThat(limiter.take(match).join().allowed()).as(then.name()).isFalse();
    }
    assertThat(told).contains("a " + Outcome.DENIED).doesNotContain("a " + Outcome.UNANSWERED);
  }

  @Test
  void aRuleOfThisServerAloneIsCountedOnceWhileTheStoreAnswers() {
    for (WhenStoreFails then : WhenStoreFails.values()) {
      Limiter limiter = byMode(new MemoryStore(), Fleet.alone());
      Match match = match(local("a", then), rule("b", WhenStoreFails.ALLOW));
      assertThat(limiter.take(match).join().each())
          .extracting(Decision::remaining)
          .containsExactly(1L, 1L);
      assertThat(limiter.take(match).join().allowed()).as(then.name()).isTrue();
      assertThat(limiter.take(match).join().allowed()).isFalse();
    }
  }
}
