package dev.weir.redis;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.StoreFailure;
import dev.weir.operation.Operation;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** One request on its way to Redis. */
final class Pending extends CompletableFuture<Decision> implements Answer {
  final Operation operation;
  final List<Claim> claims;
  final long deadlineNanos;

  Pending(Operation operation, List<Claim> claims, long deadlineNanos) {
    this.operation = operation;
    this.claims = claims;
    this.deadlineNanos = deadlineNanos;
  }

  @Override
  public Decision join() {
    try {
      return super.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof StoreFailure failure) {
        throw failure;
      }
      throw e;
    }
  }

  @Override
  public CompletionStage<Decision> stage() {
    return this;
  }

  void fail(StoreFailure.Effect effect, String why) {
    completeExceptionally(new StoreFailure(effect, why, null));
  }
}
