package dev.weir.client.dispatch;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Timers of one thread, which leaves the tasks to the pool that futures use. */
final class SystemTimers implements Timers {
  static final SystemTimers INSTANCE = new SystemTimers();

  private final Executor workers = new CompletableFuture<Void>().defaultExecutor();
  private final ScheduledThreadPoolExecutor timers =
      new ScheduledThreadPoolExecutor(
          1,
          task -> {
            Thread thread = new Thread(task, "weir-client-timers");
            thread.setDaemon(true);
            return thread;
          });

  private SystemTimers() {
    timers.setRemoveOnCancelPolicy(true);
  }

  @Override
  public long nanos() {
    return System.nanoTime();
  }

  @Override
  public Runnable schedule(long delayNanos, Runnable task) {
    Future<?> timer =
        timers.schedule(() -> workers.execute(task), delayNanos, TimeUnit.NANOSECONDS);
    return () -> timer.cancel(false);
  }

  @Override
  public void execute(Runnable task) {
    workers.execute(task);
  }
}
