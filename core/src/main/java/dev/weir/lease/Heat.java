package dev.weir.lease;

import dev.weir.LimitKey;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * About how often a key was asked for in this second.
 *
 * <p>Some thousand places, whatever the number of keys, each with a count and a mark of whose it
 * is. Another key that comes to it counts it down, and has it when nothing is left: so a key that
 * is asked for often is known among many that are not, and hardly one of those is taken for it. Two
 * that meet part again, since places are others each second.
 */
final class Heat {
  private static final int PLACES = 4_096;
  private static final int COUNT_BITS = 24;
  private static final int SECOND_BITS = 24;
  private static final long MOST = (1L << COUNT_BITS) - 1;
  private static final long SECONDS = (1L << SECOND_BITS) - 1;

  private final AtomicLongArray places = new AtomicLongArray(PLACES);

  /** As SplittableRandom does it. */
  private static long mix(long bits) {
    long once = (bits ^ bits >>> 30) * 0xBF58476D1CE4E5B9L;
    long twice = (once ^ once >>> 27) * 0x94D049BB133111EBL;
    return twice ^ twice >>> 31;
  }

  /** Counts one more, and tells how many there were in this second. */
  long add(LimitKey key, long nowNanos) {
    long second = Math.floorDiv(nowNanos, 1_000_000_000L) & SECONDS;
    long mixed = mix(key.high() * 31 + key.low() + second * 0x9E3779B97F4A7C15L);
    int place = (int) (mixed >>> 52);
    long owner = (mixed & 0xFFFF_0000_0000L) << 16 | second << COUNT_BITS;
    while (true) {
      long known = places.get(place);
      long count = known & MOST;
      boolean ours = (known & ~MOST) == owner;
      boolean free = count <= 1 || (known >>> COUNT_BITS & SECONDS) != second;
      long next = ours ? owner | Math.min(MOST, count + 1) : free ? owner | 1 : known - 1;
      if (places.compareAndSet(place, known, next)) {
        return ours || free ? next & MOST : 1;
      }
    }
  }
}
