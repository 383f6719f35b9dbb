package dev.weir.server.action;

import dev.weir.StoreFailure;
import dev.weir.async.Scheduler;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The one thread on which actions are kept and applied: that of a scheduler. Thread-safe. */
final class ActionThread {
  private final Scheduler scheduler;

  ActionThread(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  /** Makes a call, and continues with its result on the thread. */
  <T, R> CompletableFuture<R> after(Supplier<CompletionStage<T>> call, Function<T, R> next) {
    CompletableFuture<R> result = new CompletableFuture<>();
    CompletionStage<T> stage;
    try {
      stage = call.get();
    } catch (RuntimeException e) {
      stage = CompletableFuture.failedStage(e);
    }
    var unused =
        stage.whenComplete(
            (value, failure) -> scheduler.schedule(0, () -> finish(result, value, failure, next)));
    return result;
  }

  private static <T, R> void finish(
      CompletableFuture<R> result, T value, @Nullable Throwable failure, Function<T, R> next) {
    if (failure != null) {
      result.completeExceptionally(StoreFailure.cause(failure));
      return;
    }
    try {
      result.complete(next.apply(value));
    } catch (RuntimeException e) {
      result.completeExceptionally(e);
    }
  }

  /** Computes a value on the thread. */
  <R> CompletableFuture<R> compute(Supplier<R> task) {
    return after(() -> CompletableFuture.completedStage(true), done -> task.get());
  }
}
