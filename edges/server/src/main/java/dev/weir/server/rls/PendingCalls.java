package dev.weir.server.rls;

import dev.weir.Answer;
import dev.weir.Decision;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;

/**
 * Counts the store calls that a request waits for, since most requests wait for more than one. Safe
 * for use by any number of threads.
 */
final class PendingCalls {
  private static final CompletionStage<Void> DONE = CompletableFuture.completedStage(null);

  /** The calls on their way, and the caller as long as it may add more. */
  private final AtomicInteger open = new AtomicInteger(1);

  private final CompletableFuture<Void> done = new CompletableFuture<>();

  /** Waits for an answer; whatever the handler throws fails the request. */
  void await(Answer answer, BiConsumer<Decision, Throwable> handler) {
    open.incrementAndGet();
    var unused =
        answer
            .stage()
            .whenComplete(
                (decision, failure) -> {
                  try {
                    handler.accept(decision, failure);
                  } catch (RuntimeException | Error e) {
                    fail(e);
                  } finally {
                    close();
                  }
                });
  }

  /** Fails the request. */
  void fail(Throwable failure) {
    done.completeExceptionally(failure);
  }

  private void close() {
    if (open.decrementAndGet() == 0) {
      done.complete(null);
    }
  }

  /** Called once, when the caller adds no more calls; the stage completes with the last of them. */
  CompletionStage<Void> end() {
    if (open.get() == 1) {
      // All are answered already, so no call is left that would complete the future.
      return done.isCompletedExceptionally() ? done : DONE;
    }
    close();
    return done;
  }
}
