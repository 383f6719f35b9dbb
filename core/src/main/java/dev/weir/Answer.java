package dev.weir;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/**
 * A decision, available now or later.
 *
 * <p>A store in this process answers with the {@link Decision} itself, so no caller pays for a
 * future that is already complete; a remote store answers with a future. Code that cares writes
 *
 * <pre>{@code
 * if (answer instanceof Decision decision) {
 *   reply(decision);
 * } else {
 *   answer.stage().whenComplete(...);
 * }
 * }</pre>
 *
 * <p><b>Continuations.</b> A continuation added to the stage of a remote store runs in that store's
 * executor, so that a caller who blocks delays no other caller. A continuation added to a complete
 * stage runs at once, on the thread that adds it.
 *
 * <p><b>Cancellation.</b> The stage belongs to the caller. If the caller cancels it, or completes
 * it in any other way before the decision of a {@link Store#take} arrives, the store refunds what
 * is granted: permits of a rate, and a concurrency permit even if it was held before. Only the
 * stage itself counts, not a stage derived from it: of {@code stage().thenApply(...)}, cancel the
 * first.
 *
 * <p>Answers are safe for use by any number of threads.
 */
public interface Answer {

  /**
   * Waits for the decision.
   *
   * @throws StoreFailure if the store did not answer
   */
  Decision join();

  /** The decision as a stage, for callers that must not block; the same stage on each call. */
  CompletionStage<Decision> stage();

  /** An answer that is available when the stage is complete. */
  static Answer later(CompletionStage<Decision> stage) {
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
    return new Later(stage);
  }

  /** An answer that has failed: the store gave no decision. */
  static Answer failed(StoreFailure failure) {
    return later(CompletableFuture.failedStage(failure));
  }
}
