package dev.weir.server;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Operation;
import dev.weir.Store;
import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import dev.weir.memory.MemoryStore;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A store that answers on other threads, or fails: always, or for limits of one capacity. */
final class FaultyStore implements Store {
  static final int UNLUCKY = 13;

  volatile boolean gone;
  volatile Effect effect = Effect.NONE;
  private final MemoryStore memory = new MemoryStore();

  @Override
  public Answer apply(Operation operation, List<Claim> claims) {
    return Answer.later(
        CompletableFuture.supplyAsync(
            () -> {
              boolean unlucky = claims.stream().anyMatch(one -> one.limit().permits() == UNLUCKY);
              if (gone || unlucky) {
                throw new StoreFailure(effect, "db7.internal is gone", null);
              }
              return memory.apply(operation, claims).join();
            }));
  }
}
