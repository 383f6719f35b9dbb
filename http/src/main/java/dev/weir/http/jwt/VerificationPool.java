package dev.weir.http.jwt;

import dev.weir.time.Ticker;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads that verify tokens, and the limits on their work. Thread-safe.
 *
 * <p>One pool serves all versions of the rules, so that a reload resets no budget.
 */
public final class VerificationPool {
  static final int MAX_WAITING = 256;

  /** A token that waited longer is not verified any more: its request waits for the answer. */
  public static final Duration MAX_WAIT = Duration.ofMillis(200);

  /** At most half of the processors verify: the other half answers requests. */
  private static final int MAX_THREADS = 4;

  private static final long IDLE_SECONDS = 30;

  private final Executor executor;
  private final FailureBudget failures;
  private final AddressBulkhead bulkhead = new AddressBulkhead();
  private final Ticker ticker;

  private VerificationPool(Executor executor, InstantSource clock) {
    this.executor = executor;
    this.failures = new FailureBudget(clock);
    this.ticker = ticker(clock);
  }

  /** A pool of daemon threads, which end when idle, so that there is nothing to close. */
  public static VerificationPool create(InstantSource clock) {
    int half = Runtime.getRuntime().availableProcessors() / 2;
    int count = Math.max(1, Math.min(MAX_THREADS, half));
    ThreadPoolExecutor threads =
        new ThreadPoolExecutor(
            count,
            count,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(MAX_WAITING),
            VerificationPool::thread);
    threads.allowCoreThreadTimeOut(true);
    return on(threads, clock);
  }

  /**
   * A pool on an executor.
   *
   * @param executor throws {@link RejectedExecutionException} when its queue is full
   */
  static VerificationPool on(Executor executor, InstantSource clock) {
    return new VerificationPool(executor, clock);
  }

  /** A monotonic ticker where there is one: the wall clock would stop when it is set back. */
  static Ticker ticker(InstantSource clock) {
    return clock.equals(InstantSource.system())
        ? Ticker.system()
        : () -> TimeUnit.MILLISECONDS.toMicros(clock.millis());
  }

  Executor executor() {
    return executor;
  }

  FailureBudget failures() {
    return failures;
  }

  AddressBulkhead bulkhead() {
    return bulkhead;
  }

  long nowMicros() {
    return ticker.micros();
  }

  /** Whether a token that was queued at this time has waited too long. */
  boolean isLate(long queuedMicros) {
    return nowMicros() - queuedMicros > TimeUnit.MILLISECONDS.toMicros(MAX_WAIT.toMillis());
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "weir-jwt");
    thread.setDaemon(true);
    return thread;
  }
}
