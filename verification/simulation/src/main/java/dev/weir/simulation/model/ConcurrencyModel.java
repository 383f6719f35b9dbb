package dev.weir.simulation.model;

import dev.weir.Limit;
import java.util.HashMap;
import java.util.Map;

/**
 * The holders of concurrency permits, each until it releases its permit or the permit expires.
 *
 * <p>As with counters, only changes advance its time. If time runs back by more than a permit may
 * be held, all permits are free.
 */
public final class ConcurrencyModel {
  private final Map<Long, Long> expiryMicros = new HashMap<>();
  private long micros = Long.MIN_VALUE;

  /** Records that a holder got a permit. */
  public void acquire(long atMicros, long holder, Limit limit) {
    moveTo(atMicros, limit);
    expiryMicros.put(holder, micros + limit.windowMicros());
  }

  /** Records that a holder released its permit. */
  public void release(long atMicros, long holder, Limit limit) {
    if (!expiryMicros.isEmpty()) {
      moveTo(atMicros, limit);
      expiryMicros.remove(holder);
    }
  }

  /** The number of permits in use. */
  public long inUse(long atMicros, Limit limit) {
    long now = Math.max(micros, atMicros);
    return isAhead(atMicros, limit)
        ? 0
        : expiryMicros.values().stream().filter(expiry -> expiry > now).count();
  }

  /** Whether the last change was so much later that the permits do not count. */
  boolean isAhead(long atMicros, Limit limit) {
    return micros != Long.MIN_VALUE && micros - atMicros > limit.windowMicros();
  }

  private void moveTo(long atMicros, Limit limit) {
    if (isAhead(atMicros, limit)) {
      expiryMicros.clear();
      micros = atMicros;
    }
    micros = Math.max(micros, atMicros);
    expiryMicros.values().removeIf(expiry -> expiry <= micros);
  }
}
