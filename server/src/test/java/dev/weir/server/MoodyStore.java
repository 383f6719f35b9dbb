package dev.weir.server;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Store;
import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import dev.weir.memory.MemoryStore;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;

/** A store that answers on other threads, or fails: always, or for limits of one capacity. */
final class MoodyStore implements Store {
  static final int UNLUCKY = 13;

  volatile boolean gone;
  volatile Effect effect = Effect.NONE;
  private final MemoryStore memory = new MemoryStore();

  private record Later(CompletionStage<Decision> stage) implements Answer {
    @Override
    public Decision join() {
      return stage.toCompletableFuture().join();
    }
  }

  private Answer answer(BiFunction<Store, List<Claim>, Answer> operation, List<Claim> claims) {
    return new Later(
        CompletableFuture.supplyAsync(
            () -> {
              boolean unlucky = claims.stream().anyMatch(one -> one.limit().permits() == UNLUCKY);
              if (gone || unlucky) {
                throw new StoreFailure(effect, "db7.internal is gone", null);
              }
              return operation.apply(memory, claims).join();
            }));
  }

  @Override
  public Answer take(List<Claim> claims) {
    return answer(Store::take, claims);
  }

  @Override
  public Answer look(List<Claim> claims) {
    return answer(Store::look, claims);
  }

  @Override
  public Answer refund(List<Claim> claims) {
    return answer(Store::refund, claims);
  }

  @Override
  public Answer charge(List<Claim> claims) {
    return answer(Store::charge, claims);
  }

  @Override
  public Answer forget(List<Claim> claims) {
    return answer(Store::forget, claims);
  }
}
