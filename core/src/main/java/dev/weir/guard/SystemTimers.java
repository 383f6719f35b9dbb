package dev.weir.guard;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Timers by the clock of this machine. Once closed, nothing more is run. */
public final class SystemTimers implements Timers, AutoCloseable {
  private static final Logger LOG = System.getLogger(SystemTimers.class.getName());

  private final ScheduledThreadPoolExecutor thread =
      new ScheduledThreadPoolExecutor(
          1,
          work -> {
            Thread one = new Thread(work, "weir-timers");
            one.setDaemon(true);
            return one;
          });

  private final Executor continuations;

  SystemTimers(Executor continuations) {
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
  public void after(long nanos, Runnable work) {
    try {
      var unused = thread.schedule(() -> run(work), Math.max(0, nanos), TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      // Closed.
    }
  }

  private static void run(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException e) {
      LOG.log(Level.ERROR, "Something due could not be done", e);
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
