package dev.weir.server.rls;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.weir.LimitKey;
import org.jspecify.annotations.Nullable;

/**
 * Counters of which it is known that they are over their limit until their window ends, so that the
 * store need not be asked: a hot abuser costs it nothing.
 *
 * <p>What another server gives back is not noticed here before the window ends.
 */
final class OverLimits {
  /** About what one takes, with what the cache needs for it. */
  private static final int BYTES_EACH = 160;

  private final @Nullable Cache<LimitKey, Over> known;

  /**
   * @param most the limit that was exceeded; another one on the same counter may have room
   * @param notedMicros when: before that, a clock that has been set back since told the time
   */
  private record Over(long most, long notedMicros, long untilMicros) {
    boolean holds(long asked, long nowMicros) {
      return asked <= most && notedMicros <= nowMicros && nowMicros < untilMicros;
    }
  }

  /**
   * @param bytes about how much memory to take; 0 for none, and nothing is known
   */
  OverLimits(long bytes) {
    this.known =
        bytes == 0
            ? null
            : Caffeine.newBuilder().maximumSize(Math.max(1, bytes / BYTES_EACH)).build();
  }

  /** When the counter of a line will have room again; 0 if it may have room now. */
  long overUntil(Line line, long nowMicros) {
    if (known == null || line.claim == null) {
      return 0;
    }
    Over over = known.getIfPresent(line.claim.key());
    return over != null && over.holds(line.most(), nowMicros) ? over.untilMicros : 0;
  }

  /** Notes what became of a tally that was charged. */
  void note(Line line, long nowMicros) {
    if (known != null && line.claim != null && line.isExceeded()) {
      long untilMicros = nowMicros + line.resetMicros();
      known.put(line.claim.key(), new Over(line.most(), nowMicros, untilMicros));
    }
  }

  /** Something is given back. */
  void forget(Line line) {
    if (known != null && line.claim != null) {
      known.invalidate(line.claim.key());
    }
  }
}
