package dev.weir.http;

import dev.weir.Ticker;
import java.time.Duration;
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
 * @param shares how many of those that wait may be of one address
 * @param ticker tells how long they wait
 */
record Verifications(
    Executor threads, FailureBudget failures, WaitingShares shares, Ticker ticker) {
  static final int MAX_WAITING = 256;

  /** What waited for longer is not verified any more: somebody waits for the answer. */
  static final Duration MAX_WAIT = Duration.ofMillis(200);

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
    return on(pool, clock);
  }

  static Verifications on(Executor threads, InstantSource clock) {
    return new Verifications(threads, new FailureBudget(clock), new WaitingShares(), ticker(clock));
  }

  /** Of the machine's clocks the one that nobody sets: the other would stop when set back. */
  static Ticker ticker(InstantSource clock) {
    return clock.equals(InstantSource.system())
        ? Ticker.system()
        : () -> TimeUnit.MILLISECONDS.toMicros(clock.millis());
  }

  /** Whether something has waited for too long. */
  boolean isLate(long sinceMicros) {
    return ticker.micros() - sinceMicros > TimeUnit.MILLISECONDS.toMicros(MAX_WAIT.toMillis());
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "weir-jwt");
    thread.setDaemon(true);
    return thread;
  }
}
