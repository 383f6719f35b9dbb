package dev.weir.operation;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * Where callers go on once a store elsewhere has answered.
 *
 * <p>The threads that bring answers (a driver's event loop, a timer) serve everybody: whoever
 * blocks one of them delays all other requests. So what callers do with an answer runs on an
 * executor.
 */
public final class Continuations {
  /** So many callers may block at a time before others have to wait. */
  public static final int MAX_BLOCKED = 64;

  private static final long IDLE_SECONDS = 10;

  /**
   * Goes on at once, on the thread that brings the answer: for callers that never block. A server
   * that hands each answer over to an event loop of its own saves a change of threads by it.
   */
  public static final Executor DIRECT = Runnable::run;

  private Continuations() {}

  /**
   * The executor that stores use unless they are given another: daemon threads that all stores of
   * this process share, made when they are needed and gone when they are not. Up to {@link
   * #MAX_BLOCKED} callers may block without anybody else having to wait.
   */
  public static Executor shared() {
    return Shared.POOL;
  }

  /** Made when first asked for. */
  private static final class Shared {
    private static final Executor POOL =
        new WorkerPool("weir-continuations", MAX_BLOCKED, IDLE_SECONDS);
  }

  /** Runs a task there; here, if it is not let in, because a lost answer would be worse. */
  public static void run(Executor executor, Runnable task) {
    try {
      executor.execute(task);
    } catch (RejectedExecutionException e) {
      task.run();
    }
  }
}
