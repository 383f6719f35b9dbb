package dev.weir.simulation.world;

import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Kinds of events that are counted, so that an event that no longer happens is noticed. */
public enum EventType {
  LOST_REQUEST,
  LOST_REPLY,
  LATE_REPLY,
  REORDERED_MESSAGE,
  NETWORK_PARTITION,
  SILENT_STORE,
  REFUSING_STORE,
  HANGING_STORE,
  LATE_EXECUTION,
  FLAPPING,
  FAILOVER,
  LOST_RECENT_WRITES,
  LOST_ALL_DATA,
  STORE_CLOCK_STEP,
  CLOCK_SET_FORWARD,
  CLOCK_SET_BACK,
  PAUSE,
  CRASH,
  STOP,
  RESTART,
  BREAKER_OPENED,
  COUNTED_GRANT,
  COUNTED_DENIAL,
  CACHED_DENIAL,
  LEASE,
  AUTOMATIC_LEASE,
  LEASED_GRANT,
  RETURN,
  REFUND,
  CHARGE,
  FALLBACK_GRANT,
  FALLBACK_DENIAL,
  FALLBACK_CONCURRENCY_DENIAL,
  LOCAL_GRANT,
  LOCAL_DENIAL,
  UNCOUNTED_GRANT,
  UNANSWERED_REQUEST,
  RETRY_AS_ADVISED;

  /** Formats all counts in one line. */
  public static String describe(Map<EventType, Long> counts) {
    return counts.entrySet().stream()
        .map(entry -> entry.getKey().toString() + " " + entry.getValue())
        .collect(Collectors.joining(", "));
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
