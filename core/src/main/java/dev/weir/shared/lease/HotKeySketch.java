package dev.weir.shared.lease;

import dev.weir.LimitKey;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Estimates how often a key was requested in the current second, in constant memory.
 *
 * <p><b>How.</b> Each key hashes to one of a few thousand slots; a slot holds a count and a
 * fingerprint of the key that owns it. Another key in the slot decrements the count, and becomes
 * the owner when nothing is left. So a frequent key is recognized among many rare ones, and a rare
 * key is hardly ever taken for it. Two keys that collide part again, since slots change each
 * second.
 *
 * <p>Safe for use by any number of threads.
 */
final class HotKeySketch {
  private static final int SLOTS = 4_096;
  private static final int COUNT_BITS = 24;
  private static final int SECOND_BITS = 24;
  private static final long MAX_COUNT = (1L << COUNT_BITS) - 1;
  private static final long SECONDS = (1L << SECOND_BITS) - 1;

  private final AtomicLongArray slots = new AtomicLongArray(SLOTS);

  /** The bit mixer of SplittableRandom. */
  private static long mix(long bits) {
    long once = (bits ^ bits >>> 30) * 0xBF58476D1CE4E5B9L;
    long twice = (once ^ once >>> 27) * 0x94D049BB133111EBL;
    return twice ^ twice >>> 31;
  }

  /** Counts one request; returns the count of the key in this second. */
  long add(LimitKey key, long nowNanos) {
    long second = Math.floorDiv(nowNanos, 1_000_000_000L) & SECONDS;
    long mixed = mix(key.high() * 31 + key.low() + second * 0x9E3779B97F4A7C15L);
    int slot = (int) (mixed >>> 52);
    long owner = (mixed & 0xFFFF_0000_0000L) << 16 | second << COUNT_BITS;
    while (true) {
      long current = slots.get(slot);
      long count = current & MAX_COUNT;
      boolean owned = (current & ~MAX_COUNT) == owner;
      boolean free = count <= 1 || (current >>> COUNT_BITS & SECONDS) != second;
      long next = owned ? owner | Math.min(MAX_COUNT, count + 1) : free ? owner | 1 : current - 1;
      if (slots.compareAndSet(slot, current, next)) {
        return owned || free ? next & MAX_COUNT : 1;
      }
    }
  }
}
