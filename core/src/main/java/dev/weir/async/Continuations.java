package dev.weir.async;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * The executors that run callers' continuations once a remote store has answered.
 *
 * <p>The threads that deliver answers (a driver's event loop, a timer) serve all requests: a caller
 * that blocked one of them would delay all others. So continuations run on an executor.
 */
public final class Continuations {
  /** How many callers may block at a time before others have to wait. */
  public static final int MAX_BLOCKED = 64;

  private static final long IDLE_SECONDS = 10;

  /**
   * Runs continuations at once, on the thread that delivers the answer: for callers that never
   * block. It saves a thread switch for a server that hands each answer to its own event loop.
   */
  public static final Executor DIRECT = Runnable::run;

  private Continuations() {}

  /**
   * The default executor of stores: daemon threads that all stores of this process share, started
   * when needed and ended when idle. Up to {@link #MAX_BLOCKED} callers may block without delaying
   * others.
   */
  public static Executor shared() {
    return Shared.POOL;
  }

  /** Created on first use. */
  private static final class Shared {
    private static final Executor POOL =
        new WorkerPool("weir-continuations", MAX_BLOCKED, IDLE_SECONDS);
  }

  /**
   * Runs a task on the executor, or on this thread if the executor rejects it, because a lost
   * answer would be worse.
   */
  public static void run(Executor executor, Runnable task) {
    try {
      executor.execute(task);
    } catch (RejectedExecutionException e) {
      task.run();
    }
  }
}
