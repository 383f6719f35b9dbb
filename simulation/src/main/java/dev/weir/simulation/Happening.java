package dev.weir.simulation;

import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** What is counted, so that it shows if something does not happen any more. */
enum Happening {
  LOST_REQUEST,
  LOST_REPLY,
  LATE_REPLY,
  OVERTAKING,
  CUT_LINE,
  SILENT_STORE,
  REFUSING_STORE,
  HANGING_STORE,
  DONE_LATE,
  FLAPPING,
  FAILOVER,
  FORGOTTEN_TAIL,
  FORGOTTEN_ALL,
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
  REMEMBERED_DENIAL,
  LEASE,
  AUTOMATIC_LEASE,
  LEASED_GRANT,
  RETURN,
  REFUND,
  CHARGE,
  STANDBY_GRANT,
  STANDBY_DENIAL,
  STANDBY_PLACE_DENIAL,
  LOCAL_GRANT,
  LOCAL_DENIAL,
  UNCOUNTED_GRANT,
  UNANSWERED_REQUEST,
  COMING_BACK_AS_TOLD;

  /** All of it in a line. */
  static String inWords(Map<Happening, Long> counts) {
    return counts.entrySet().stream()
        .map(one -> one.getKey().toString() + " " + one.getValue())
        .collect(Collectors.joining(", "));
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
