package dev.weir.http;

import java.time.InstantSource;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * What verifications of tokens may cost, whatever the version of the rules.
 *
 * @param threads run them, or refuse with {@link RejectedExecutionException} when too many wait
 * @param failures how many may fail
 */
record Verifications(Executor threads, FailureBudget failures) {
  /** At 2 ms each, on one thread, the last of these waits for half a second. */
  static final int MAX_WAITING = 256;

  /** Half of the machine at most: the other half answers requests. */
  private static final int MAX_THREADS = 4;

  private static final long IDLE_SECONDS = 30;

  /** Threads that end by themselves when idle, so there is nothing to close. */
  static Verifications by(InstantSource clock) {
    int half = Runtime.getRuntime().availableProcessors() / 2;
    int count = Math.max(1, Math.min(MAX_THREADS, half));
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            count,
            count,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(MAX_WAITING),
            Verifications::thread);
    pool.allowCoreThreadTimeOut(true);
    return new Verifications(pool, new FailureBudget(clock));
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "weir-jwt");
    thread.setDaemon(true);
    return thread;
  }
}
