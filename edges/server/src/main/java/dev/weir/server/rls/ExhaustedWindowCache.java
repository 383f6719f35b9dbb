package dev.weir.server.rls;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.weir.LimitKey;
import org.jspecify.annotations.Nullable;

/**
 * Counters that are over their limit until their window ends, so that hits on a hot key cost the
 * store nothing: the local cache of envoyproxy/ratelimit.
 *
 * <p>It is not the cache of denied takes that all edges have beneath the limiter, and why is in
 * docs/adr/0017: here a counter is over a number, whatever a request costs, for up to a year, in
 * memory whose size the operator sets. A refund through another server is not noticed before the
 * window ends. Safe for use by any number of threads.
 */
final class ExhaustedWindowCache {
  /** About the size of an entry, with the overhead of the cache. */
  private static final int BYTES_EACH = 160;

  private final @Nullable Cache<LimitKey, Over> cache;

  /**
   * A counter that is over its limit.
   *
   * @param max the limit that was exceeded; another one on the same counter may have room
   * @param recordedMicros when it was recorded; it does not hold if the clock was set back since
   */
  private record Over(long max, long recordedMicros, long untilMicros) {
    boolean holds(long limit, long nowMicros) {
      return limit <= max && recordedMicros <= nowMicros && nowMicros < untilMicros;
    }
  }

  /**
   * An empty cache.
   *
   * @param bytes about how much memory to use; 0 turns the cache off
   */
  ExhaustedWindowCache(long bytes) {
    this.cache =
        bytes == 0
            ? null
            : Caffeine.newBuilder().maximumSize(Math.max(1, bytes / BYTES_EACH)).build();
  }

  /** When the counter of a check will have room again; 0 if it may have room now. */
  long exhaustedUntil(LimitCheck check, long nowMicros) {
    if (cache == null || check.claim == null) {
      return 0;
    }
    Over over = cache.getIfPresent(check.claim.key());
    return over != null && over.holds(check.max(), nowMicros) ? over.untilMicros : 0;
  }

  /** Records the result of a tally that was charged. */
  void record(LimitCheck check, long nowMicros) {
    if (cache != null && check.claim != null && check.isExceeded()) {
      long untilMicros = nowMicros + check.resetMicros();
      cache.put(check.claim.key(), new Over(check.max(), nowMicros, untilMicros));
    }
  }

  /** Drops the entry of a counter after a refund. */
  void invalidate(LimitCheck check) {
    if (cache != null && check.claim != null) {
      cache.invalidate(check.claim.key());
    }
  }
}
