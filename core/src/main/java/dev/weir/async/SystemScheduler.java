package dev.weir.async;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A {@link Scheduler} on the clock of this machine. Once closed, it runs no more tasks.
 * Thread-safe.
 */
public final class SystemScheduler implements Scheduler, AutoCloseable {
  private static final Logger LOG = System.getLogger(SystemScheduler.class.getName());

  private final ScheduledThreadPoolExecutor executor =
      new ScheduledThreadPoolExecutor(
          1,
          runnable -> {
            Thread daemon = new Thread(runnable, "weir-timers");
            daemon.setDaemon(true);
            return daemon;
          });

  private final Executor continuations;

  SystemScheduler(Executor continuations) {
    this.continuations = continuations;
  }

  @Override
  public Executor continuations() {
    return continuations;
  }

  @Override
  public long nanos() {
    return System.nanoTime();
  }

  @Override
  public void schedule(long delayNanos, Runnable task) {
    try {
      var unused =
          executor.schedule(() -> run(task), Math.max(0, delayNanos), TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      // Closed.
    }
  }

  private static void run(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException e) {
      LOG.log(Level.ERROR, "A scheduled task failed", e);
    }
  }

  /** Discards all pending tasks. */
  @Override
  public void close() {
    executor.shutdownNow();
  }
}
