package dev.weir.server;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Requests at an even pace, each due at its time whatever became of those before it.
 *
 * <p>Who is late catches up, but only with what was due a moment ago, so that a machine that stood
 * still does not make up for it with a flood.
 */
final class Pace {
  private static final long MAX_BEHIND_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final long pauseNanos;
  private final long startNanos = System.nanoTime();
  private long dueNanos = startNanos;
  private long offered;

  Pace(int perSecond) {
    pauseNanos = TimeUnit.SECONDS.toNanos(1) / perSecond;
  }

  /** Waits until the next request is due, and tells since when it is. */
  long next() {
    long earliest = System.nanoTime() - MAX_BEHIND_NANOS;
    long due = dueNanos - earliest < 0 ? earliest : dueNanos;
    for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
    dueNanos = due + pauseNanos;
    offered++;
    return due;
  }

  /** How much was offered, in percent of what was to be while the machine did not stand still. */
  long percent(Stalls stalls) {
    long nanos = dueNanos - startNanos - stalls.nanosIn(startNanos, dueNanos);
    return nanos <= 0 ? 100 : offered * pauseNanos * 100 / nanos;
  }
}
