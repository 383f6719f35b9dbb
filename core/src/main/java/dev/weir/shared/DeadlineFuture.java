package dev.weir.shared;

import dev.weir.Answer;
import dev.weir.Decision;
import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import dev.weir.async.CallerFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a pending call, which completes with the store's answer or fails at its deadline,
 * whichever is first. {@link #onSuccess} or {@link #onFailure} runs exactly once, before the caller
 * continues: a caller that looks at counters then finds its call counted.
 */
abstract class DeadlineFuture extends CallerFuture implements Deadlines.Pending {
  private final Answer answer;
  private final long deadlineNanos;
  private boolean ended;

  /**
   * An answer that is pending until the deadline.
   *
   * @param answer the store's answer
   * @param executor for continuations of the caller after the deadline
   */
  DeadlineFuture(Answer answer, long deadlineNanos, Executor executor) {
    super(executorOf(answer, executor));
    this.answer = answer;
    this.deadlineNanos = deadlineNanos;
  }

  abstract void onSuccess();

  abstract void onFailure(Throwable failure);

  /** Receives the answer of the store. */
  final void onStoreAnswer(@Nullable Decision decision, @Nullable Throwable thrown) {
    if (decision == null) {
      end(thrown == null ? new NullPointerException("no decision") : StoreFailure.cause(thrown));
    } else if (isFirst()) {
      try {
        onSuccess();
      } finally {
        settle(decision);
      }
    }
  }

  private void end(Throwable failure) {
    if (isFirst()) {
      try {
        onFailure(failure);
      } finally {
        fail(failure);
      }
    }
  }

  /** The answer and the deadline may come at the same moment, on two threads. */
  private synchronized boolean isFirst() {
    boolean first = !ended;
    ended = true;
    return first;
  }

  @Override
  public final long deadlineNanos() {
    return deadlineNanos;
  }

  @Override
  public final void onDeadline() {
    end(new StoreFailure(Effect.UNKNOWN, "the store did not answer in time", null));
    if (answer instanceof CallerFuture pending) {
      pending.expire(); // a concurrency permit that is granted now has no holder
    }
  }
}
