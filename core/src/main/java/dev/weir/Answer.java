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
 *
 * <p><b>Where callers go on.</b> What is added to the stage of a store elsewhere runs in that
 * store's executor, so that a caller who blocks delays nobody else; what is added to a complete
 * stage runs at once, on the thread that adds it.
 *
 * <p><b>Who no longer waits.</b> The stage is the caller's own. Where it is cancelled, or completed
 * in any other way before the decision of a {@link Store#take} is there, what is granted is given
 * back: permits of a rate, and a concurrency permit even if it was held before. Only the stage
 * itself counts, not those derived from it: of {@code stage().thenApply(...)}, cancel the first.
 */
public interface Answer {

  /** Waits for the decision. */
  Decision join();

  /** The decision as a stage, for those who must not wait; the same one each time. */
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
