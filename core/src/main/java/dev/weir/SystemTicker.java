package dev.weir;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Wall-clock microseconds that move at the speed of {@link System#nanoTime()}.
 *
 * <p>The monotonic clock is cheap and does not step when an operator or a hypervisor sets the wall
 * clock; only the wall clock knows where a window begins. So time is an anchor plus the monotonic
 * time since, and the anchor is renewed each second. A wall clock that stepped forward is followed
 * at once. One that stepped back is approached at half speed: time never goes backwards, and no
 * bucket stops refilling.
 */
final class SystemTicker implements Ticker {
  static final SystemTicker INSTANCE = new SystemTicker();

  private static final long RENEW_NANOS = 1_000_000_000L;

  private volatile Anchor anchor = Anchor.of(System.nanoTime(), wallMicros());

  @Override
  public long micros() {
    long nanos = System.nanoTime();
    Anchor current = anchor;
    if (nanos - current.nanos > RENEW_NANOS) {
      anchor = current.renewed(nanos, wallMicros());
    }
    return current.at(nanos);
  }

  private static long wallMicros() {
    return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
  }

  /**
   * A point where both clocks were read.
   *
   * @param aheadNanos how far our time is ahead of {@code nanos}
   * @param late whether the wall clock is behind us, and time runs at half speed from here on
   */
  record Anchor(long nanos, long aheadNanos, boolean late) {

    static Anchor of(long nanos, long wallMicros) {
      return new Anchor(nanos, wallMicros * 1_000 - nanos, false);
    }

    long at(long nanosNow) {
      long slowedNanos = late ? (nanosNow - nanos) / 2 : 0;
      return (nanosNow + aheadNanos - slowedNanos) / 1_000;
    }

    Anchor renewed(long nanosNow, long wallMicros) {
      long ours = at(nanosNow);
      Anchor next = of(nanosNow, Math.max(ours, wallMicros));
      return ours > wallMicros ? new Anchor(next.nanos, next.aheadNanos, true) : next;
    }
  }
}
