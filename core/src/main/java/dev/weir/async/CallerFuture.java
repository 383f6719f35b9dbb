package dev.weir.async;

import dev.weir.Answer;
import dev.weir.Decision;
import dev.weir.StoreFailure;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The future that a store returns to one caller. The caller may cancel it, complete it or put a
 * timeout on it without effect on other callers; a grant that arrives afterwards is refunded.
 *
 * <p>Whether the store has answered is kept separate from whether the future is complete, because
 * the store decides the first and the caller the second. Continuations run on the executor. A
 * caller that waits in {@link #join} needs none; the thread that delivers the answer wakes it.
 *
 * <p>Safe for use by any number of threads.
 */
public class CallerFuture extends CompletableFuture<Decision> implements Answer {
  /** State bit: a caller has obtained the stage, so there may be continuations. */
  private static final int SHARED = 1;

  /** State bit: the store has answered or failed. */
  private static final int SETTLED = 2;

  /** State bit: the thread that delivers the answer completes the future itself. */
  private static final int DELIVERED_DIRECTLY = 4;

  private static final VarHandle STATE;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(CallerFuture.class, "state", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Executor executor;

  private volatile int state;

  /** A future whose continuations run on {@code executor}. */
  public CallerFuture(Executor executor) {
    this.executor = executor;
  }

  /**
   * Relays the answer of another store to a new caller.
   *
   * @param then maps the decision, or the failure if there is none; it may turn a failure into a
   *     decision, or throw it
   * @param refund refunds what was granted; called at most once, if the caller no longer waits
   */
  public static Answer relay(
      Answer answer,
      BiFunction<@Nullable Decision, @Nullable Throwable, Decision> then,
      Runnable refund) {
    CallerFuture caller =
        new CallerFuture(executorOf(answer, Continuations.DIRECT)) {
          @Override
          protected void onAbandoned(Decision granted) {
            refund.run();
          }
        };
    onAnswer(
        answer,
        (decision, failure) -> {
          try {
            caller.settle(then.apply(decision, failure));
          } catch (RuntimeException | Error e) {
            caller.fail(StoreFailure.cause(e));
          }
        });
    return caller;
  }

  /** Relays the answer to an operation that grants nothing; {@code then} maps the decision. */
  public static Answer relay(Answer answer, UnaryOperator<Decision> then) {
    return relay(
        answer,
        (decision, failure) -> {
          if (decision == null) {
            throw new CompletionException(failure);
          }
          return then.apply(decision);
        },
        () -> {});
  }

  /**
   * Registers a listener of a store layer, which runs on the thread that delivers the answer and
   * must not block it. Only continuations that callers add to {@link #stage} move to the executor,
   * so that a caller who waits for one answer in the continuation of another never waits for a
   * thread of the executor.
   */
  public static void onAnswer(
      Answer answer, BiConsumer<? super @Nullable Decision, ? super @Nullable Throwable> listener) {
    CompletionStage<Decision> stage = answer instanceof CallerFuture own ? own : answer.stage();
    var unused = stage.whenComplete(listener);
  }

  /** The executor of an answer's continuations, or {@code otherwise} if it has none. */
  public static Executor executorOf(Answer answer, Executor otherwise) {
    return answer instanceof CallerFuture own ? own.executor : otherwise;
  }

  /** The executor of the continuations. */
  protected final Executor executor() {
    return executor;
  }

  /** Delivers the decision; false if the store had answered or failed before. */
  public final boolean settle(Decision decision) {
    int before = beginDelivery();
    if ((before & SETTLED) != 0) {
      return false;
    }
    if (needsExecutor(before)) {
      Continuations.run(executor, () -> deliver(decision));
    } else {
      deliver(decision);
    }
    return true;
  }

  /** Delivers a failure; false if the store had answered or failed before. */
  public final boolean fail(Throwable failure) {
    int before = beginDelivery();
    if ((before & SETTLED) != 0) {
      return false;
    }
    if (needsExecutor(before)) {
      Continuations.run(executor, () -> completeExceptionally(failure));
    } else {
      completeExceptionally(failure);
    }
    return true;
  }

  /** Marks this future as settled if it is not; returns the state before. */
  private int beginDelivery() {
    while (true) {
      int before = state;
      int after = before | SETTLED | (before == 0 ? DELIVERED_DIRECTLY : 0);
      if ((before & SETTLED) != 0 || STATE.compareAndSet(this, before, after)) {
        return before;
      }
    }
  }

  /**
   * Fails this future because its deadline has passed, unless it is complete. What the store still
   * grants is not used.
   */
  public void expire() {
    fail(new StoreFailure(StoreFailure.Effect.UNKNOWN, "the store did not answer in time", null));
  }

  @SuppressWarnings("ReferenceEquality") // any other executor that runs tasks at once works too
  private boolean needsExecutor(int before) {
    return before == SHARED && executor != Continuations.DIRECT && !isDone();
  }

  private void deliver(Decision decision) {
    if (complete(decision)) {
      onDelivered();
    } else if (decision.allowed()) {
      onAbandoned(decision);
    } else {
      onDelivered();
    }
  }

  /** Called when the caller has received its decision, or nothing was granted. */
  protected void onDelivered() {}

  /** Called once if the store grants what the caller no longer waits for. */
  protected void onAbandoned(Decision granted) {}

  /** Whether the store has neither answered nor failed, and the caller still waits for it. */
  public final boolean isAwaited() {
    return (state & SETTLED) == 0 && !isDone();
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

  /**
   * This future as a stage. Its continuations run on the executor, or, once it is complete, on the
   * thread that adds them.
   */
  @Override
  public CompletionStage<Decision> stage() {
    int before = (int) STATE.getAndBitwiseOr(this, SHARED);
    if ((before & DELIVERED_DIRECTLY) != 0 && !isDone()) {
      awaitDelivery();
    }
    return this;
  }

  /**
   * Waits for the thread that is completing this future at this moment, because that thread must
   * not run a continuation.
   */
  private void awaitDelivery() {
    try {
      super.join();
    } catch (CompletionException | CancellationException e) {
      // The caller will see it in the stage.
    }
  }
}
