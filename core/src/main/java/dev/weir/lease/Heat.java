package dev.weir.lease;

import dev.weir.LimitKey;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * About how often a key was asked for in this second.
 *
 * <p>Some thousand counts, whatever the number of keys: those that share one look hotter than they
 * are, and are leased a little early, which harms nobody.
 */
final class Heat {
  private static final int SLOTS = 4_096;
  private static final int COUNT_BITS = 24;
  private static final long COUNT = (1L << COUNT_BITS) - 1;

  private final AtomicLongArray slots = new AtomicLongArray(SLOTS);

  /** Counts one more, and tells how many there were in this second. */
  long add(LimitKey key, long nowNanos) {
    int slot = (int) ((key.low() ^ key.high() >>> 17) & (SLOTS - 1));
    long second = nowNanos / 1_000_000_000L & (1L << 38) - 1;
    while (true) {
      long known = slots.get(slot);
      long count = known >>> COUNT_BITS == second ? Math.min(COUNT, (known & COUNT) + 1) : 1;
      if (slots.compareAndSet(slot, known, second << COUNT_BITS | count)) {
        return count;
      }
    }
  }
}
