package dev.weir.spring.method.call;

import dev.weir.spring.method.RateLimitedException;
import dev.weir.spring.method.expression.MethodCall;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Methods that return a {@link CompletionStage}, whose work is over when it is complete. No thread
 * is blocked. Whoever cancels the future leaves the queue, or cancels that of the method.
 * Thread-safe.
 */
final class StageStyle implements CallStyle {
  @Override
  public CompletableFuture<Object> call(MethodLimit limit, MethodCall call, CallBody body) {
    CompletableFuture<Held> taken;
    try {
      taken = limit.takeAsync(call);
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
    Result result = new Result();
    result.onGone(taken);
    var unused =
        taken.whenComplete(
            (held, failure) -> {
              if (failure == null) {
                result.start(held, body);
              } else if (failure instanceof RateLimitedException denied
                  && limit.fallback() != null) {
                Fallback fallback = limit.fallback();
                result.start(Held.NOTHING, () -> fallback.run(call, denied));
              } else {
                result.completeExceptionally(failure);
              }
            });
    return result;
  }

  /** What the caller gets. */
  private static final class Result extends CompletableFuture<Object> {
    private volatile @Nullable CompletionStage<?> running;

    /** A caller that completes or cancels it by itself needs no permits any more. */
    void onGone(CompletableFuture<Held> taken) {
      var unused =
          whenComplete(
              (value, failure) -> {
                taken.cancel(false);
                cancelRunning();
              });
    }

    void start(Held held, CallBody body) {
      if (isDone()) {
        held.release();
        return;
      }
      CompletionStage<?> stage;
      try {
        stage = (CompletionStage<?>) body.run();
      } catch (Throwable e) {
        held.release();
        completeExceptionally(e);
        return;
      }
      if (stage == null) {
        held.release();
        completeExceptionally(new IllegalStateException("the method returned null"));
        return;
      }
      running = stage;
      cancelRunning();
      var unused =
          stage.whenComplete(
              (value, failure) -> {
                held.release();
                if (failure == null) {
                  complete(value);
                } else {
                  completeExceptionally(failure);
                }
              });
    }

    private void cancelRunning() {
      CompletionStage<?> stage = running;
      if (stage != null && isCancelled()) {
        try {
          stage.toCompletableFuture().cancel(false);
        } catch (UnsupportedOperationException e) {
          return; // it cannot be cancelled, and holds its permit until it is over
        }
      }
    }
  }
}
