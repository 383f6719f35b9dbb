package dev.weir.server;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.LimitKey;
import dev.weir.Store;
import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import dev.weir.operation.Operation;
import dev.weir.operation.UniformStore;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** A store of which it is noted how often nobody knows whether it has counted somebody. */
final class Doubts extends UniformStore {
  private final Store store;
  private final LimitKey whom;
  private final LongAdder count;

  Doubts(Store store, LimitKey whom, LongAdder count) {
    this.store = store;
    this.whom = whom;
    this.count = count;
  }

  @Override
  protected Answer ask(Operation operation, List<Claim> claims) {
    Answer answer = operation.on(store, claims);
    return operation == Operation.TAKE
        ? Answer.later(answer.stage().whenComplete((said, failure) -> note(claims, failure)))
        : answer;
  }

  private void note(List<Claim> claims, @Nullable Throwable failure) {
    boolean unknown = failure != null && StoreFailure.effect(failure) == Effect.UNKNOWN;
    if (unknown && claims.stream().anyMatch(claim -> claim.key().equals(whom))) {
      count.increment();
    }
  }
}
