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

  private volatile Anchor anchor = new Anchor(System.nanoTime(), wallMicros(), 0);

  @Override
  public long micros() {
    long nanos = System.nanoTime();
    Anchor current = anchor;
    long micros = current.at(nanos);
    if (nanos - current.nanos > RENEW_NANOS) {
      anchor = current.renewed(nanos, wallMicros());
    }
    return micros;
  }

  private static long wallMicros() {
    return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
  }

  /** A point where both clocks were read; {@code slowness} 1 halves the speed from there on. */
  record Anchor(long nanos, long micros, int slowness) {

    long at(long nanosNow) {
      return micros + (((nanosNow - nanos) / 1_000) >> slowness);
    }

    Anchor renewed(long nanosNow, long wallMicros) {
      long ours = at(nanosNow);
      return new Anchor(nanosNow, Math.max(ours, wallMicros), ours > wallMicros ? 1 : 0);
    }
  }
}
