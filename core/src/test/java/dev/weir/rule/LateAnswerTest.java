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
import dev.weir.Operation;
import dev.weir.Store;
import dev.weir.StoreFailure;
import dev.weir.key.KeySpace;
import dev.weir.limiter.Limiter;
import dev.weir.memory.MemoryStore;
import dev.weir.rule.book.Match;
import dev.weir.rule.book.RuleBook;
import dev.weir.shared.fallback.LocalFallback;
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
          new Store() {
            @Override
            public Answer apply(Operation operation, List<Claim> claims) {
              return Answer.failed(StoreFailure.deadlineExceeded("late", () -> Answer.later(late)));
            }
          },
          LocalFallback.alone(new MemoryStore()),
          (rule, outcome, subject) -> outcomes.add(outcome.toString()));

  private CompletableFuture<Decision> take(FailureMode then) {
    Limit limit = Limit.fixedWindow(2, Duration.ofDays(1));
    Rule rule = Rule.named("one").limit(limit).failureMode(then).build();
    Match match = RuleBook.of(List.of(rule), KeySpace.random()).match(Descriptor.of(Map.of()));
    return limiter.take(match).stage().toCompletableFuture();
  }

  @Test
  void aRuleThatDeniesOnFailureWaitsForTheLateAnswer() {
    CompletableFuture<Decision> answer = take(FailureMode.DENY);
    assertThat(answer).isNotDone();
    late.complete(YES);
    assertThat(answer.join()).isEqualTo(YES);
    assertThat(outcomes).containsExactly("ALLOWED");
  }

  @Test
  void aRuleThatDeniesOnFailureFailsOnceTheStoreGivesUp() {
    CompletableFuture<Decision> answer = take(FailureMode.DENY);
    late.completeExceptionally(new IllegalStateException("given up"));
    assertThatThrownBy(answer::join).isInstanceOf(StoreFailure.class);
    assertThat(outcomes).containsExactly("UNANSWERED");
  }

  @Test
  void otherRulesAnswerAtTheDeadline() {
    assertThat(take(FailureMode.LOCAL).join().basis()).isEqualTo(Basis.LOCAL);
    assertThat(take(FailureMode.ALLOW).join().basis()).isEqualTo(Basis.UNCOUNTED);
    assertThat(late).isNotDone();
  }
}
