package dev.weir.server;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import dev.weir.memory.MemoryStore;
import dev.weir.operation.Operation;
import dev.weir.operation.UniformStore;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A store that answers on other threads, or fails: always, or for limits of one capacity. */
final class MoodyStore extends UniformStore {
  static final int UNLUCKY = 13;

  volatile boolean gone;
  volatile Effect effect = Effect.NONE;
  private final MemoryStore memory = new MemoryStore();

  @Override
  protected Answer ask(Operation operation, List<Claim> claims) {
    return Answer.later(
        CompletableFuture.supplyAsync(
            () -> {
              boolean unlucky = claims.stream().anyMatch(one -> one.limit().permits() == UNLUCKY);
              if (gone || unlucky) {
                throw new StoreFailure(effect, "db7.internal is gone", null);
              }
              return operation.on(memory, claims).join();
            }));
  }
}
