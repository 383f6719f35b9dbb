package dev.weir.operation;

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
 * The future that a store gives to one caller, who may do with it as it likes: cancel it, complete
 * it, put a timeout on it. Nobody else sees that; a grant that then arrives is given back.
 *
 * <p>Whether the store has answered is kept apart from whether the future is complete, because the
 * first is the store's to say and the second the caller's. Continuations run on the executor. Who
 * waits in {@link #join} has none, and is woken by the thread that brings the answer.
 */
public class CallerFuture extends CompletableFuture<Decision> implements Answer {
  /** A bit of the state: the stage was asked for, so that there may be continuations. */
  private static final int SHARED = 1;

  /** A bit of the state: the store has answered, or failed. */
  private static final int SETTLED = 2;

  /** A bit of the state: the thread that brought the answer completes the future itself. */
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

  protected CallerFuture(Executor executor) {
    this.executor = executor;
  }

  /**
   * Passes on what another store answers, to a caller of its own.
   *
   * @param then what is made of the decision, or of the failure if there is none; a failure may
   *     become a decision, or be thrown
   * @param giveBack gives back what was granted; called at most once, if nobody waits for it
   */
  public static Answer relay(
      Answer answer,
      BiFunction<@Nullable Decision, @Nullable Throwable, Decision> then,
      Runnable giveBack) {
    CallerFuture caller =
        new CallerFuture(executorOf(answer, Continuations.DIRECT)) {
          @Override
          protected void unclaimed(Decision granted) {
            giveBack.run();
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

  /** The same for what grants nothing: {@code then} runs before the caller goes on. */
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
   * Listens as a layer of a store does: on the thread that brings the answer, which must not be
   * blocked. Only what callers add to {@link #stage} moves to the executor, so that a caller who
   * waits for one answer in the continuation of another never waits for a thread of the executor.
   */
  public static void onAnswer(
      Answer answer, BiConsumer<? super @Nullable Decision, ? super @Nullable Throwable> listener) {
    CompletionStage<Decision> stage = answer instanceof CallerFuture own ? own : answer.stage();
    var unused = stage.whenComplete(listener);
  }

  /** Where the callers of an answer go on, if it says so. */
  public static Executor executorOf(Answer answer, Executor otherwise) {
    return answer instanceof CallerFuture own ? own.executor : otherwise;
  }

  /** Where continuations run. */
  protected final Executor executor() {
    return executor;
  }

  /** Brings the decision; false if the store had answered or failed before. */
  public final boolean settle(Decision decision) {
    int before = beginDelivery();
    if ((before & SETTLED) != 0) {
      return false;
    }
    if (goesElsewhere(before)) {
      Continuations.run(executor, () -> hand(decision));
    } else {
      hand(decision);
    }
    return true;
  }

  /** Brings a failure; false if the store had answered or failed before. */
  public final boolean fail(Throwable failure) {
    int before = beginDelivery();
    if ((before & SETTLED) != 0) {
      return false;
    }
    if (goesElsewhere(before)) {
      Continuations.run(executor, () -> completeExceptionally(failure));
    } else {
      completeExceptionally(failure);
    }
    return true;
  }

  /** Settles it, unless it is; returns the state before. */
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
   * Stops waiting because time is over: what the store still grants is not used. Whoever waits has
   * been told so, or is told now.
   */
  public void expire() {
    fail(new StoreFailure(StoreFailure.Effect.UNKNOWN, "the store did not answer in time", null));
  }

  @SuppressWarnings("ReferenceEquality") // any other that runs tasks at once does as well
  private boolean goesElsewhere(int before) {
    return before == SHARED && executor != Continuations.DIRECT && !isDone();
  }

  private void hand(Decision decision) {
    if (complete(decision)) {
      claimed();
    } else if (decision.allowed()) {
      unclaimed(decision);
    } else {
      claimed();
    }
  }

  /** Called when the caller has its decision, or nothing was granted. */
  protected void claimed() {}

  /** Called once if the store grants what nobody waits for any more. */
  protected void unclaimed(Decision granted) {}

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
   * Continuations added to it run on the executor, or, once it is complete, on the adding thread.
   */
  @Override
  public CompletionStage<Decision> stage() {
    int before = (int) STATE.getAndBitwiseOr(this, SHARED);
    if ((before & DELIVERED_DIRECTLY) != 0 && !isDone()) {
      awaitDelivery();
    }
    return this;
  }

  /** It is being completed at this moment, by a thread that must not run any continuation. */
  private void awaitDelivery() {
    try {
      super.join();
    } catch (CompletionException | CancellationException e) {
      // Whoever asked for the stage will see.
    }
  }
}
