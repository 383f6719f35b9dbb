package dev.weir.server;

import dev.weir.testkit.redis.RedisServer;
import dev.weir.testkit.redis.RespConnection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Detects stalls of this machine: a sleeping thread woke too late, threads of clients or servers
 * waited for a CPU, or an otherwise idle Redis answered slowly. Delays in a stall are excused;
 * delays at other times are faults.
 */
public final class StallDetector implements AutoCloseable {
  private static final long NAP_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /** Timers are never exact; a thread that wakes later than this was kept from running. */
  private static final long LATE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /** Shorter waits are ordinary context switches, which add up when many threads are runnable. */
  private static final long DELAYED_NANOS = TimeUnit.MICROSECONDS.toNanos(300);

  /** Longer than any response when both processes are scheduled. */
  private static final long SLOW_NANOS = TimeUnit.MILLISECONDS.toNanos(3);

  /** The stalls in order, without overlap. */
  private final List<Stall> stalls = new ArrayList<>();

  private final List<Thread> watching = new ArrayList<>();
  private final RedisServer redis = RedisServer.start();
  private volatile boolean over;

  private record Stall(long fromNanos, long toNanos) {}

  public StallDetector() {
    watching.add(new Thread(this::sleep, "stalls-sleep"));
    watching.add(new Thread(this::delay, "stalls-delay"));
    watching.add(new Thread(this::ping, "stalls-ping"));
    watching.forEach(Thread::start);
  }

  private void sleep() {
    while (!over) {
      long due = System.nanoTime() + NAP_NANOS;
      LockSupport.parkNanos(NAP_NANOS);
      note(due, LATE_NANOS);
    }
  }

  private void delay() {
    try (SchedulingDelays delays = new SchedulingDelays()) {
      while (!over) {
        long delay = delays.grownNanos();
        note(System.nanoTime() - delay, DELAYED_NANOS);
        LockSupport.parkNanos(2 * NAP_NANOS);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void ping() {
    try (RespConnection connection = redis.connect()) {
      while (!over) {
        long sentNanos = System.nanoTime();
        connection.command("PING");
        note(sentNanos, SLOW_NANOS);
        LockSupport.parkNanos(2 * NAP_NANOS);
      }
    }
  }

  /** Records a stall that ends now, if a task that was due ends later than allowed. */
  private synchronized void note(long dueNanos, long maxNanos) {
    long to = System.nanoTime();
    long from = dueNanos;
    if (to - from <= maxNanos) {
      return;
    }
    for (int last = stalls.size() - 1; last >= 0; last--) {
      Stall before = stalls.get(last);
      if (before.toNanos - from < 0) {
        break;
      }
      from = before.fromNanos - from < 0 ? before.fromNanos : from;
      stalls.remove(last);
    }
    stalls.add(new Stall(from, to));
  }

  /** The part of a period that was lost to stalls. */
  public synchronized long nanosIn(long fromNanos, long toNanos) {
    long sum = 0;
    for (Stall stall : stalls) {
      long from = stall.fromNanos - fromNanos > 0 ? stall.fromNanos : fromNanos;
      long to = stall.toNanos - toNanos < 0 ? stall.toNanos : toNanos;
      sum += Math.max(0, to - from);
    }
    return sum;
  }

  /**
   * The duration of a task without stalls and the time to catch up after them: as long again,
   * because all delayed work continues at once.
   */
  public long tookNanos(long fromNanos, long toNanos) {
    return toNanos - fromNanos - 2 * nanosIn(fromNanos, toNanos);
  }

  @Override
  public void close() {
    over = true;
    for (Thread thread : watching) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    redis.close();
  }
}
