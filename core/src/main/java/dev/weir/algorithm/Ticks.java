package dev.weir.algorithm;

import dev.weir.Limit;

/** Arithmetic on time that rounds waits up and does not run backwards. */
final class Ticks {
  private Ticks() {}

  /**
   * The tick of the limit that {@code nowMicros} is in, or the last one seen if time ran back a
   * little. If it ran back by more than {@link Limit#maxAheadTicks()}, it is earlier than {@code
   * lastTick}: what was counted then is nothing to wait for.
   */
  static long now(Limit limit, long nowMicros, long lastTick) {
    long tick = limit.tickMicros() == 1 ? nowMicros : nowMicros / limit.tickMicros();
    return tick >= lastTick || lastTick - tick > limit.maxAheadTicks() ? tick : lastTick;
  }

  /** Microseconds from {@code nowMicros} to the start of {@code tick}, or 0 if that is past. */
  static long until(Limit limit, long tick, long nowMicros) {
    return Math.max(0, tick * limit.tickMicros() - nowMicros);
  }

  /** Division of a number that is not negative, rounded up. */
  static long ceilDiv(long dividend, long divisor) {
    return divisor == 1 ? dividend : (dividend + divisor - 1) / divisor;
  }
}
