package dev.weir.simulation;

import dev.weir.Limit;
import java.util.HashMap;
import java.util.Map;

/**
 * Who is in flight, each until it leaves or has been there too long. As with counters, only what
 * changes it moves it in time; and if time runs back by more than they may stay, nobody is there.
 */
final class Places {
  private final Map<Long, Long> untilMicros = new HashMap<>();
  private long micros = Long.MIN_VALUE;

  void enter(long atMicros, long permit, Limit limit) {
    moveTo(atMicros, limit);
    untilMicros.put(permit, micros + limit.windowMicros());
  }

  void leave(long atMicros, long permit, Limit limit) {
    if (!untilMicros.isEmpty()) {
      moveTo(atMicros, limit);
      untilMicros.remove(permit);
    }
  }

  /** How many there are. */
  long used(long atMicros, Limit limit) {
    long now = Math.max(micros, atMicros);
    return isAhead(atMicros, limit)
        ? 0
        : untilMicros.values().stream().filter(until -> until > now).count();
  }

  /** Whether they came so much later that they do not count. */
  boolean isAhead(long atMicros, Limit limit) {
    return micros != Long.MIN_VALUE && micros - atMicros > limit.windowMicros();
  }

  private void moveTo(long atMicros, Limit limit) {
    if (isAhead(atMicros, limit)) {
      untilMicros.clear();
      micros = atMicros;
    }
    micros = Math.max(micros, atMicros);
    untilMicros.values().removeIf(until -> until <= micros);
  }
}
