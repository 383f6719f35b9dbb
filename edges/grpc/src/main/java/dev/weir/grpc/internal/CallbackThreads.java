package dev.weir.grpc.internal;

import dev.weir.async.Continuations;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Reports how calls ended that never started: daemon threads of their own, created on first use,
 * because listeners may block, and would then delay the decisions about other calls. Thread-safe.
 */
public final class CallbackThreads {
  private static final int MAX_THREADS = 16;
  private static final int MAX_WAITING = 10_000;
  private static final long IDLE_SECONDS = 10;

  private static final ThreadPoolExecutor POOL =
      new ThreadPoolExecutor(
          MAX_THREADS,
          MAX_THREADS,
          IDLE_SECONDS,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(MAX_WAITING),
          CallbackThreads::daemon,
          // A call that never ends would be worse than a decision that is late.
          (task, pool) -> Continuations.shared().execute(task));

  static {
    POOL.allowCoreThreadTimeOut(true);
  }

  private CallbackThreads() {}

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "weir-grpc-callbacks");
    thread.setDaemon(true);
    return thread;
  }

  /** The pool that all interceptors share. */
  public static Executor shared() {
    return POOL;
  }

  /** Runs a task on the executor, or on a thread of this pool if the executor rejects it. */
  public static void run(Executor executor, Runnable task) {
    try {
      executor.execute(task);
    } catch (RejectedExecutionException e) {
      POOL.execute(task);
    }
  }
}
