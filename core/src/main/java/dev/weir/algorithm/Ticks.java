package dev.weir.algorithm;

import dev.weir.Limit;

/** Tick arithmetic that rounds waits up and tolerates small backward steps of the clock. */
final class Ticks {
  private Ticks() {}

  /**
   * The tick of the limit that contains {@code nowMicros}, or the last one seen if the clock
   * stepped back a little. If it stepped back by more than {@link Limit#maxAheadTicks()}, the
   * result is earlier than {@code lastTick}, and the caller ignores what was counted then.
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
