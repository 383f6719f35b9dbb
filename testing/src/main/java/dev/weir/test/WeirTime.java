package dev.weir.test;

import dev.weir.async.Scheduler;
import dev.weir.internal.Rejections;
import dev.weir.time.Ticker;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A clock that stands still until a test moves it, with the timers of everything that waits.
 *
 * <p><b>How.</b> {@link #advance} moves the clock from timer to timer and runs each on the calling
 * thread, in the order of their times; those of one moment run in the order in which they were set.
 * So when it returns, all that falls due by then has happened: callers have their permits, permits
 * have expired, the store has been probed.
 *
 * <p>A timer that again and again sets nothing but itself, such as that of health probes, is run
 * less often when the clock moves far, so that a year takes no longer than an hour.
 *
 * <p>Safe for use by any number of threads: any of them may set timers, and one at a time moves the
 * clock. A timer may move the clock itself.
 */
public final class WeirTime implements InstantSource, Ticker, Scheduler {
  /** Midnight of a Thursday, as is the epoch: windows of all common lengths begin here. */
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private static final Duration MAX_ADVANCE = Duration.ofDays(36_500);

  /** So often a timer repeats itself before runs of it are skipped. */
  private static final int MAX_REPEATS = 600;

  private final ReentrantLock moving = new ReentrantLock();
  private final PriorityQueue<Timer> timers =
      new PriorityQueue<>(
          Comparator.<Timer>comparingLong(timer -> timer.atNanos)
              .thenComparingLong(timer -> timer.order));
  private volatile long nowNanos;
  private long order;

  /** The timer that was set last; guarded by the timers, as is the order. */
  private @Nullable Timer last;

  private static final class Timer {
    private final long order;
    private final Runnable task;
    private long atNanos;
    private long periodNanos;
    private int repeats;

    Timer(long atNanos, long order, Runnable task) {
      this.atNanos = atNanos;
      this.order = order;
      this.task = task;
    }
  }

  /** A clock that stands at the beginning of the year 2026, in UTC. */
  public WeirTime() {}

  @Override
  public Instant instant() {
    return START.plusNanos(nowNanos);
  }

  @Override
  public long micros() {
    return TimeUnit.SECONDS.toMicros(START.getEpochSecond()) + nowNanos / 1_000;
  }

  @Override
  public long nanos() {
    return nowNanos;
  }

  @Override
  public void schedule(long delayNanos, Runnable task) {
    Objects.requireNonNull(task);
    synchronized (timers) {
      last = new Timer(nowNanos + Math.max(0, delayNanos), order++, task);
      timers.add(last);
    }
  }

  /**
   * Moves the clock, and runs the timers that fall due on the way.
   *
   * @throws IllegalArgumentException if the duration is negative, or above a hundred years
   */
  public void advance(Duration duration) {
    if (duration.isNegative() || duration.compareTo(MAX_ADVANCE) > 0) {
      throw Rejections.of("duration", duration, "between PT0S and " + MAX_ADVANCE);
    }
    moving.lock();
    try {
      long end = Math.addExact(nowNanos, duration.toNanos());
      runDue(end);
      nowNanos = Math.max(nowNanos, end);
    } finally {
      moving.unlock();
    }
  }

  /**
   * Moves the clock by at least one period, to a multiple of it since the start. Timers run as
   * after a suspension of the process: late, and once.
   */
  void skipToNext(Duration period) {
    moving.lock();
    try {
      long nanos = period.toNanos();
      nowNanos = Math.addExact(nowNanos, 2 * nanos - 1) / nanos * nanos;
      runDue(nowNanos);
    } finally {
      moving.unlock();
    }
  }

  private void runDue(long end) {
    for (Timer next = pollDue(end); next != null; next = pollDue(end)) {
      long before = order();
      next.task.run();
      passOver(next, before, end);
    }
  }

  private long order() {
    synchronized (timers) {
      return order;
    }
  }

  /** Skips runs of a timer that has set nothing but itself, up to the next other timer. */
  private void passOver(Timer ran, long orderBefore, long end) {
    synchronized (timers) {
      Timer again = last;
      if (again == null || order != orderBefore + 1) {
        return;
      }
      again.periodNanos = again.atNanos - ran.atNanos;
      again.repeats = again.periodNanos == ran.periodNanos ? ran.repeats + 1 : 0;
      if (again.repeats >= MAX_REPEATS && again.periodNanos > 0) {
        timers.remove(again);
        Timer other = timers.peek();
        long until = other == null ? end : Math.min(end, other.atNanos);
        long periods = Math.max(0, (until - again.atNanos) / again.periodNanos);
        again.atNanos += periods * again.periodNanos;
        timers.add(again);
      }
    }
  }

  private @Nullable Timer pollDue(long end) {
    synchronized (timers) {
      Timer first = timers.peek();
      if (first == null || first.atNanos > end) {
        return null;
      }
      timers.remove();
      nowNanos = Math.max(nowNanos, first.atNanos);
      return first;
    }
  }

  @Override
  public String toString() {
    return instant().toString();
  }
}
