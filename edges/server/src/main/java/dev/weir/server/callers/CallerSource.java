package dev.weir.server.callers;

import dev.weir.sketch.FrequencySummary;
import java.util.Set;

/** Where the heaviest callers of rules are known: this server, or the fleet. Thread-safe. */
interface CallerSource {
  /** The rules that were in use within the last hour. */
  Set<String> rules();

  /** The heaviest callers of a rule. */
  FrequencySummary callers(String rule, Kind kind, Window window);
}
