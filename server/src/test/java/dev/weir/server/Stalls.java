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
 * Notes when this machine stood still: when a thread that does nothing but sleep woke too late,
 * when those that ask or answer had to wait for a processor, or when a Redis that nobody else asks
 * was long in answering. What is late because of that is nobody's fault; what is late at other
 * times is.
 */
final class Stalls implements AutoCloseable {
  private static final long NAP_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /** Timers are never exact; who wakes later than this was kept from running. */
  private static final long LATE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /** Less is what it takes to change threads; it adds up where many want to run. */
  private static final long DELAYED_NANOS = TimeUnit.MICROSECONDS.toNanos(300);

  /** So long takes no answer where two processes get their turn. */
  private static final long SLOW_NANOS = TimeUnit.MILLISECONDS.toNanos(3);

  /** One after the other, with time between them. */
  private final List<Stall> stalls = new ArrayList<>();

  private final List<Thread> watching = new ArrayList<>();
  private final RedisServer redis = RedisServer.start();
  private volatile boolean over;

  private record Stall(long fromNanos, long toNanos) {}

  Stalls() {
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
    try (RunDelays delays = new RunDelays()) {
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
        long asked = System.nanoTime();
        connection.command("PING");
        note(asked, SLOW_NANOS);
        LockSupport.parkNanos(2 * NAP_NANOS);
      }
    }
  }

  /** Now is when something is over that was to be over long ago. */
  private synchronized void note(long dueNanos, long mostNanos) {
    long to = System.nanoTime();
    long from = dueNanos;
    if (to - from <= mostNanos) {
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

  /** How much of a stretch of time was lost to stalls. */
  synchronized long nanosIn(long fromNanos, long toNanos) {
    long sum = 0;
    for (Stall stall : stalls) {
      long from = stall.fromNanos - fromNanos > 0 ? stall.fromNanos : fromNanos;
      long to = stall.toNanos - toNanos < 0 ? stall.toNanos : toNanos;
      sum += Math.max(0, to - from);
    }
    return sum;
  }

  /**
   * How long something took, but for stalls and what it takes to make up for them: as long again,
   * since all that stood still goes on at once.
   */
  long tookNanos(long fromNanos, long toNanos) {
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
