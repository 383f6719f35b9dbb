package dev.weir.server;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.LimitKey;
import dev.weir.Store;
import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import dev.weir.operation.Operation;
import dev.weir.operation.UniformStore;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** How often nobody knows whether a store has counted somebody. */
final class Doubts {
  private final Map<LimitKey, LongAdder> counts = new ConcurrentHashMap<>();

  long of(LimitKey key) {
    LongAdder count = counts.get(key);
    return count == null ? 0 : count.sum();
  }

  /** A store of which it is noted. */
  Store noting(Store store) {
    return new Noting(store);
  }

  private final class Noting extends UniformStore {
    private final Store store;

    Noting(Store store) {
      this.store = store;
    }

    @Override
    protected Answer ask(Operation operation, List<Claim> claims) {
      Answer answer = operation.on(store, claims);
      return operation == Operation.TAKE && !(answer instanceof Decision)
          ? Answer.later(answer.stage().whenComplete((said, failure) -> note(claims, failure)))
          : answer;
    }
  }

  private void note(List<Claim> claims, @Nullable Throwable failure) {
    if (failure != null && StoreFailure.effect(failure) == Effect.UNKNOWN) {
      claims.forEach(
          claim -> counts.computeIfAbsent(claim.key(), key -> new LongAdder()).increment());
    }
  }
}
