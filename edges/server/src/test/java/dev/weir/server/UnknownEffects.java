package dev.weir.server;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.LimitKey;
import dev.weir.Operation;
import dev.weir.Store;
import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Counts requests of which it is unknown whether the store has counted them. */
public final class UnknownEffects {
  private final Map<LimitKey, LongAdder> counts = new ConcurrentHashMap<>();

  public long of(LimitKey key) {
    LongAdder count = counts.get(key);
    return count == null ? 0 : count.sum();
  }

  /** Wraps a store and counts its failures of unknown effect. */
  public Store noting(Store store) {
    return new Noting(store);
  }

  private final class Noting implements Store {
    private final Store store;

    Noting(Store store) {
      this.store = store;
    }

    @Override
    public Answer apply(Operation operation, List<Claim> claims) {
      Answer answer = store.apply(operation, claims);
      return operation == Operation.TAKE && !(answer instanceof Decision)
          ? Answer.later(answer.stage().whenComplete((decisions, failure) -> note(claims, failure)))
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
