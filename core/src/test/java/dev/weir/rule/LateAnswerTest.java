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
import dev.weir.StoreFailure;
import dev.weir.guard.Standby;
import dev.weir.key.KeySpace;
import dev.weir.memory.MemoryStore;
import dev.weir.operation.Operation;
import dev.weir.operation.UniformStore;
import dev.weir.rule.Rule.WhenStoreFails;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A store that answers after the deadline of a request. */
class LateAnswerTest {
  private static final Decision YES = Decision.of(List.of(Decision.of(Verdict.ALLOWED, 1, 0, 0)));

  private final CompletableFuture<Decision> late = new CompletableFuture<>();
  private final List<String> outcomes = new ArrayList<>();
  private final Limiter limiter =
      new Limiter(
          new UniformStore() {
            @Override
            protected Answer ask(Operation operation, List<Claim> claims) {
              return Answer.failed(StoreFailure.deadlineExceeded("late", () -> Answer.later(late)));
            }
          },
          Standby.alone(new MemoryStore()),
          (rule, outcome) -> outcomes.add(outcome.toString()));

  private CompletableFuture<Decision> take(WhenStoreFails then) {
    Limit limit = Limit.fixedWindow(2, Duration.ofDays(1));
    Rule rule = Rule.named("one").limit(limit).whenStoreFails(then).build();
    Match match = RuleBook.of(List.of(rule), KeySpace.random()).match(Descriptor.of(Map.of()));
    return limiter.take(match).stage().toCompletableFuture();
  }

  @Test
  void aRuleThatDeniesWaitsForIt() {
    CompletableFuture<Decision> answer = take(WhenStoreFails.DENY);
    assertThat(answer).isNotDone();
    late.complete(YES);
    assertThat(answer.join()).isEqualTo(YES);
    assertThat(outcomes).containsExactly("ALLOWED");
  }

  @Test
  void aRuleThatDeniesFailsOnceNoAnswerCanCome() {
    CompletableFuture<Decision> answer = take(WhenStoreFails.DENY);
    late.completeExceptionally(new IllegalStateException("given up"));
    assertThatThrownBy(answer::join).isInstanceOf(StoreFailure.class);
    assertThat(outcomes).containsExactly("UNANSWERED");
  }

  @Test
  void theOthersAnswerAtTheDeadline() {
    assertThat(take(WhenStoreFails.LOCAL).join().basis()).isEqualTo(Basis.ALONE);
    assertThat(take(WhenStoreFails.ALLOW).join().basis()).isEqualTo(Basis.UNCOUNTED);
    assertThat(late).isNotDone();
  }
}
