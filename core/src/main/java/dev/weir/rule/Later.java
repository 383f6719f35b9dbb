package dev.weir.rule;

import dev.weir.Answer;
import dev.weir.Decision;
import dev.weir.StoreFailure;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** A decision that is on its way. */
record Later(CompletionStage<Decision> stage) implements Answer {
  @Override
  public Decision join() {
    try {
      return stage.toCompletableFuture().join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof StoreFailure failure) {
        throw failure;
      }
      throw e;
    }
  }
}
