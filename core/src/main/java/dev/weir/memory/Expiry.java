package dev.weir.memory;

/**
 * A moment of the next months in 32 bits, to the nearest 16 milliseconds or so, rounded up.
 *
 * <p>Moments are compared by their distance, so that the number may run over. One further away than
 * {@link #FURTHEST} is told as that; whoever comes back then looks again. One in the past is now.
 */
final class Expiry {
  private static final int SHIFT = 14;
  private static final long FURTHEST = 1L << (30 + SHIFT);

  private Expiry() {}

  static int of(long micros, long nowMicros) {
    long bounded = Math.max(nowMicros, Math.min(micros, nowMicros + FURTHEST));
    return (int) ((bounded + (1L << SHIFT) - 1) >> SHIFT);
  }

  static boolean isPast(int expiry, long nowMicros) {
    return expiry - (int) (nowMicros >> SHIFT) <= 0;
  }

  /** The moment again, seen from {@code nowMicros}. */
  static long micros(int expiry, long nowMicros) {
    long now = nowMicros >> SHIFT;
    return (now + (expiry - (int) now)) << SHIFT;
  }
}
