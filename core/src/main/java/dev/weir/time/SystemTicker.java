package dev.weir.time;

import java.time.Instant;
import java.util.function.LongSupplier;

/**
 * Wall-clock microseconds that move at the speed of {@link System#nanoTime()}.
 *
 * <p>The monotonic clock is cheap and does not step when an operator or a hypervisor sets the wall
 * clock; only the wall clock knows where a window begins. So time is an anchor plus the monotonic
 * time since, and each second the anchor is compared with the wall clock. A wall clock that stepped
 * forward is followed at once. One that stepped back a little is approached at half speed: time
 * does not go backwards, and no bucket stops refilling. One that stepped back by more than {@link
 * Anchor#MAX_SLOW_NANOS} is followed at once, too: half speed halves every rate, and a day of that
 * would cost callers more than counters that start anew. Differences of a few milliseconds are
 * ignored, because two clocks cannot be read at the same moment.
 */
final class SystemTicker implements Ticker {
  static final SystemTicker INSTANCE = new SystemTicker();

  private static final long RENEW_NANOS = 1_000_000_000L;
  private static final long MAX_READ_NANOS = 1_000_000L;

  private volatile Anchor anchor = Anchor.read(System::nanoTime, SystemTicker::wallNanos);

  @Override
  public long micros() {
    long nanos = System.nanoTime();
    Anchor current = anchor;
    return nanos - current.nanos > RENEW_NANOS ? renewed(nanos).at(nanos) : current.at(nanos);
  }

  /** Compares with the wall clock, unless this thread was descheduled while it read both clocks. */
  private synchronized Anchor renewed(long nanos) {
    Anchor current = anchor;
    if (nanos - current.nanos > RENEW_NANOS) {
      long before = System.nanoTime();
      long wall = wallNanos();
      if (System.nanoTime() - before < MAX_READ_NANOS) {
        anchor = current.renewed(before, wall);
      }
    }
    return anchor;
  }

  private static long wallNanos() {
    Instant now = Instant.now();
    return now.getEpochSecond() * 1_000_000_000L + now.getNano();
  }

  /**
   * A point from which time runs.
   *
   * @param aheadNanos how far this ticker's time is ahead of the monotonic clock
   * @param lateNanos how far the wall clock was behind this ticker's time; half speed makes up for
   *     as much
   */
  record Anchor(long nanos, long aheadNanos, long lateNanos) {
    private static final long TOLERANCE_NANOS = 5_000_000L;

    /** The maximum difference that half speed makes up for: ten seconds, in twenty. */
    static final long MAX_SLOW_NANOS = 10_000_000_000L;

    /** How often both clocks are read initially, until one reading was fast enough. */
    private static final int MAX_READS = 20;

    /**
     * The initial anchor, from the fastest of several readings: if a thread is descheduled between
     * the two clocks, the second is read too late.
     */
    static Anchor read(LongSupplier nanos, LongSupplier wall) {
      Anchor best = of(0, 0);
      long fastest = Long.MAX_VALUE;
      for (int i = 0; i < MAX_READS && fastest >= MAX_READ_NANOS; i++) {
        long before = nanos.getAsLong();
        long wallNanos = wall.getAsLong();
        long took = nanos.getAsLong() - before;
        if (took < fastest) {
          best = of(before, wallNanos);
          fastest = took;
        }
      }
      return best;
    }

    static Anchor of(long nanos, long wallNanos) {
      return new Anchor(nanos, wallNanos - nanos, 0);
    }

    long at(long nanosNow) {
      return nanosAt(nanosNow) / 1_000;
    }

    private long nanosAt(long nanosNow) {
      long lost = lateNanos == 0 ? 0 : Math.min(lateNanos, Math.max(0, nanosNow - nanos) / 2);
      return nanosNow + aheadNanos - lost;
    }

    Anchor renewed(long nanosNow, long wallNanos) {
      long ours = nanosAt(nanosNow);
      long late = ours - wallNanos;
      if (late < -TOLERANCE_NANOS || late > MAX_SLOW_NANOS) {
        return of(nanosNow, wallNanos);
      }
      return new Anchor(nanosNow, ours - nanosNow, late > TOLERANCE_NANOS ? late : 0);
    }
  }
}
