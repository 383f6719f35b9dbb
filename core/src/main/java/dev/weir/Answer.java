package dev.weir;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A decision that is here, or on its way.
 *
 * <p>A store in this process answers with the {@link Decision} itself, so nobody pays for a future
 * that is already complete; a store elsewhere answers with a future. Code that cares writes
 *
 * <pre>{@code
 * if (answer instanceof Decision decision) {
 *   reply(decision);
 * } else {
 *   answer.stage().whenComplete(...);
 * }
 * }</pre>
 */
public interface Answer {

  /** Waits for the decision. */
  Decision join();

  /** The decision as a stage, for those who must not wait. */
  CompletionStage<Decision> stage();

  /** An answer that comes when the stage is complete. */
  static Answer later(CompletionStage<Decision> stage) {
    return new Later(stage);
  }

  /** No answer: a store that cannot be asked. */
  static Answer failed(StoreFailure failure) {
    return new Later(CompletableFuture.failedStage(failure));
  }
}
