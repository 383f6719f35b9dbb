package dev.weir.server;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.LimitKey;
import dev.weir.Operation;
import dev.weir.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAccumulator;

/**
 * A store of the warm-up: records which counters are used, and the shortest round trip. Safe for
 * use by any number of threads.
 */
final class TrialStore implements Store {
  private final Store store;
  private final Map<LimitKey, Claim> used = new ConcurrentHashMap<>();
  private final LongAccumulator shortestNanos = new LongAccumulator(Math::min, Long.MAX_VALUE);

  TrialStore(Store store) {
    this.store = store;
  }

  @Override
  public Answer apply(Operation operation, List<Claim> claims) {
    for (Claim claim : claims) {
      used.putIfAbsent(claim.key(), claim);
    }
    long start = System.nanoTime();
    Answer answer = store.apply(operation, claims);
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

  /** The shortest round trip to the store; 0 if there was none. */
  long roundTripNanos() {
    long shortest = shortestNanos.get();
    return shortest == Long.MAX_VALUE ? 0 : shortest;
  }

  /** Deletes all counters that were used, and waits for that up to the limit. */
  void delete(Duration limit) {
    List<CompletableFuture<?>> deleted = new ArrayList<>();
    for (Claim claim : used.values()) {
      deleted.add(store.reset(List.of(claim)).stage().toCompletableFuture());
    }
    var unused =
        CompletableFuture.allOf(deleted.toArray(CompletableFuture<?>[]::new))
            .exceptionally(failure -> null) // they expire by themselves
            .completeOnTimeout(null, limit.toMillis(), TimeUnit.MILLISECONDS)
            .join();
  }
}
