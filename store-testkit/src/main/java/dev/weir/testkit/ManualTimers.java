package dev.weir.testkit;

import dev.weir.guard.Timers;
import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;

/** Time that passes when a test says so, and does what is due on the way. */
public final class ManualTimers implements Timers {
  private final PriorityQueue<Due> queue =
      new PriorityQueue<>(Comparator.comparingLong(Due::atNanos).thenComparingLong(Due::order));
  private final ManualTicker ticker;
  private long nowNanos;
  private long order;

  private record Due(long atNanos, long order, Runnable work) {}

  /**
   * @param ticker a clock that is moved along
   */
  public ManualTimers(ManualTicker ticker) {
    this.ticker = ticker;
  }

  @Override
  public long nanos() {
    return nowNanos;
  }

  @Override
  public void after(long nanos, Runnable work) {
    queue.add(new Due(nowNanos + Math.max(0, nanos), order++, work));
  }

  /** Lets so much time pass. */
  public void advance(Duration duration) {
    long end = nowNanos + duration.toNanos();
    for (Due next = queue.peek(); next != null && next.atNanos <= end; next = queue.peek()) {
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
