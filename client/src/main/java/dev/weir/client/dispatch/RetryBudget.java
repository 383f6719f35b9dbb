package dev.weir.client.dispatch;

import java.util.Arrays;

/**
 * Bounds retries to a part of all requests, so that they cannot storm: when a server fails, every
 * request would be sent several times, which keeps the server down.
 *
 * <p>In each second and the nine before it, there may be {@code minimum} retries and as many more
 * as {@code percent} of the requests. Thread-safe.
 */
final class RetryBudget {
  private static final int SECONDS = 10;
  private static final long NANOS = 1_000_000_000L;

  private final int percent;
  private final int minimum;
  private final long[] requests = new long[SECONDS];
  private final long[] retries = new long[SECONDS];
  private long current = Long.MIN_VALUE;

  RetryBudget(int percent, int minimum) {
    this.percent = percent;
    this.minimum = minimum;
  }

  /** Counts a request that is no retry. */
  synchronized void onRequest(long nowNanos) {
    requests[slot(nowNanos)]++;
  }

  /** Takes a retry from the budget, if it has one. */
  synchronized boolean tryRetry(long nowNanos) {
    int slot = slot(nowNanos);
    long allowed = minimum + Arrays.stream(requests).sum() * percent / 100;
    if (Arrays.stream(retries).sum() >= allowed) {
      return false;
    }
    retries[slot]++;
    return true;
  }

  /** The slot of the current second; those of seconds that are over are emptied. */
  private int slot(long nowNanos) {
    long second = Math.floorDiv(nowNanos, NANOS);
    long oldest = Math.max(current, second - SECONDS);
    for (long passed = oldest + 1; passed <= second; passed++) {
      int slot = Math.floorMod(passed, SECONDS);
      requests[slot] = 0;
      retries[slot] = 0;
    }
    current = Math.max(current, second);
    return Math.floorMod(current, SECONDS);
  }
}
