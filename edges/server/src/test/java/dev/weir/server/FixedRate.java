package dev.weir.server;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A fixed rate of requests, each due at its time whatever happens to those before it.
 *
 * <p>A late sender catches up, but only with requests that were due a moment ago, so that a machine
 * that stalled does not send a burst.
 */
public final class FixedRate {
  private static final long MAX_BEHIND_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final long pauseNanos;
  private final long startNanos = System.nanoTime();
  private long dueNanos = startNanos;
  private long offered;

  public FixedRate(int perSecond) {
    pauseNanos = TimeUnit.SECONDS.toNanos(1) / perSecond;
  }

  /** Waits until the next request is due, and returns its due time. */
  public long next() {
    long earliest = System.nanoTime() - MAX_BEHIND_NANOS;
    long due = dueNanos - earliest < 0 ? earliest : dueNanos;
    for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
    dueNanos = due + pauseNanos;
    offered++;
    return due;
  }

  /** The requests sent, in percent of those due while the machine did not stall. */
  long percent(StallDetector stalls) {
    long nanos = dueNanos - startNanos - stalls.nanosIn(startNanos, dueNanos);
    return nanos <= 0 ? 100 : offered * pauseNanos * 100 / nanos;
  }
}
