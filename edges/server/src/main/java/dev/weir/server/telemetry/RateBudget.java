package dev.weir.server.telemetry;

import java.util.concurrent.atomic.AtomicLong;

/** So many a second, whatever comes. Safe for use by any number of threads; never waits. */
final class RateBudget {
  private static final long SECOND_MICROS = 1_000_000;

  /** The number of the second, and below it how many were taken in it. */
  private static final int COUNT_BITS = 24;

  private static final long COUNT_MASK = (1L << COUNT_BITS) - 1;

  private final int perSecond;
  private final AtomicLong state = new AtomicLong();

  /**
   * @param perSecond up to 2^24 - 1
   */
  RateBudget(int perSecond) {
    this.perSecond = perSecond;
  }

  /** Takes one, if one is left in the second of this time. */
  boolean take(long nowMicros) {
    long second = Math.floorDiv(nowMicros, SECOND_MICROS);
    while (true) {
      long before = state.get();
      long taken = before >> COUNT_BITS == second ? before & COUNT_MASK : 0;
      if (taken >= perSecond) {
        return false;
      }
      if (state.compareAndSet(before, (second << COUNT_BITS) + taken + 1)) {
        return true;
      }
    }
  }
}
