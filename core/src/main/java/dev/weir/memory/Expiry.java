package dev.weir.memory;

/**
 * A moment of the next days in 32 bits, to the millisecond or so, rounded down.
 *
 * <p>Moments are compared by their distance, so the number may run over. One further away than
 * {@link #FURTHEST_MICROS} is told as that, and one in the past as now; whoever comes back then
 * looks again.
 */
final class Expiry {
  private static final int SHIFT = 10;
  static final long FURTHEST_MICROS = 1L << (30 + SHIFT);

  private Expiry() {}

  static int of(long micros, long nowMicros) {
    long bounded = Math.max(nowMicros, Math.min(micros, nowMicros + FURTHEST_MICROS));
    return (int) (bounded >> SHIFT);
  }

  /** Whether the moment has come; it may be up to a millisecond early, never late. */
  static boolean isPast(int expiry, long nowMicros) {
    return expiry - (int) (nowMicros >> SHIFT) <= 0;
  }

  /** The moment again, seen from {@code nowMicros}. */
  static long micros(int expiry, long nowMicros) {
    long now = nowMicros >> SHIFT;
    return (now + (expiry - (int) now)) << SHIFT;
  }
}
