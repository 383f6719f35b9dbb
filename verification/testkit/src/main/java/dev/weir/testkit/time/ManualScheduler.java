package dev.weir.testkit.time;

import dev.weir.async.Scheduler;
import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * A scheduler whose time passes when a test advances it, which runs the tasks that fall due. Not
 * thread-safe.
 */
public final class ManualScheduler implements Scheduler {
  private final PriorityQueue<Task> queue =
      new PriorityQueue<>(Comparator.comparingLong(Task::atNanos).thenComparingLong(Task::order));
  private final ManualTicker ticker;
  private long nowNanos;
  private long order;

  private record Task(long atNanos, long order, Runnable work) {}

  /** A scheduler that moves the ticker with its own time. */
  public ManualScheduler(ManualTicker ticker) {
    this.ticker = ticker;
  }

  @Override
  public long nanos() {
    return nowNanos;
  }

  @Override
  public void schedule(long delayNanos, Runnable work) {
    queue.add(new Task(nowNanos + Math.max(0, delayNanos), order++, work));
  }

  /** Advances the time, and runs the tasks that fall due on the way. */
  public void advance(Duration duration) {
    long end = nowNanos + duration.toNanos();
    for (Task next = queue.peek(); next != null && next.atNanos <= end; next = queue.peek()) {
      queue.remove();
      moveTo(next.atNanos);
      next.work.run();
    }
    moveTo(end);
  }

  private void moveTo(long nanos) {
    ticker.advanceMicros(nanos / 1_000 - nowNanos / 1_000);
    nowNanos = nanos;
  }
}
