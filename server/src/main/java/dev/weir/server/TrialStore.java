package dev.weir.server;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.LimitKey;
import dev.weir.Store;
import dev.weir.operation.Operation;
import dev.weir.operation.UniformStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAccumulator;

/** A store that remembers which counters were used, and how far away it is. */
final class TrialStore extends UniformStore {
  private final Store store;
  private final Map<LimitKey, Claim> used = new ConcurrentHashMap<>();
  private final LongAccumulator shortestNanos = new LongAccumulator(Math::min, Long.MAX_VALUE);

  TrialStore(Store store) {
    this.store = store;
  }

  @Override
  protected Answer ask(Operation operation, List<Claim> claims) {
    for (Claim claim : claims) {
      used.putIfAbsent(claim.key(), claim);
    }
    long start = System.nanoTime();
    Answer answer = operation.on(store, claims);
    if (!(answer instanceof Decision) && !answer.stage().toCompletableFuture().isDone()) {
      var unused =
          answer
              .stage()
              .whenComplete(
                  (decision, failure) -> {
                    if (failure == null) {
                      shortestNanos.accumulate(System.nanoTime() - start);
                    }
                  });
    }
    return answer;
  }

  /** How long the shortest trip to it took; 0 if there was none. */
  long tripNanos() {
    long shortest = shortestNanos.get();
    return shortest == Long.MAX_VALUE ? 0 : shortest;
  }

  /** Deletes all counters that were used; waits for that, but not for longer than the limit. */
  void delete(Duration limit) {
    List<CompletableFuture<?>> deleted = new ArrayList<>();
    for (Claim claim : used.values()) {
      deleted.add(store.forget(List.of(claim)).stage().toCompletableFuture());
    }
    var unused =
        CompletableFuture.allOf(deleted.toArray(CompletableFuture<?>[]::new))
            .exceptionally(failure -> null) // they expire by themselves
            .completeOnTimeout(null, limit.toMillis(), TimeUnit.MILLISECONDS)
            .join();
  }
}
