package dev.weir.simulation;

import dev.weir.Limit;
import java.util.HashMap;
import java.util.Map;

/**
 * Who is in flight, each until it leaves or has been there too long. As with counters, only what
 * changes it moves it on in time.
 */
final class Places {
  private final Map<Long, Long> untilMicros = new HashMap<>();
  private long micros = Long.MIN_VALUE;

  void enter(long atMicros, long permit, Limit limit) {
    moveTo(atMicros);
    untilMicros.put(permit, micros + limit.windowMicros());
  }

  void leave(long atMicros, long permit) {
    if (!untilMicros.isEmpty()) {
      moveTo(atMicros);
      untilMicros.remove(permit);
    }
  }

  /** How many there are. */
  long used(long atMicros) {
    long now = Math.max(micros, atMicros);
    return untilMicros.values().stream().filter(until -> until > now).count();
  }

  private void moveTo(long atMicros) {
    micros = Math.max(micros, atMicros);
    untilMicros.values().removeIf(until -> until <= micros);
  }
}
