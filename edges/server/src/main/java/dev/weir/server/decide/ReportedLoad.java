package dev.weir.server.decide;

import io.vertx.core.json.JsonObject;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The load of a caller, as it reports it beside the values of a request. Immutable.
 *
 * @param inFlight its requests in flight, without this one
 * @param queueDelayMillis how long this request has waited, if the caller knows
 */
public record ReportedLoad(int inFlight, OptionalLong queueDelayMillis) {
  private static final Set<String> KEYS = Set.of("inFlight", "queueDelayMillis");
  private static final int MAX_IN_FLIGHT = 1_000_000_000;
  private static final int MAX_DELAY_MILLIS = 3_600_000;

  /**
   * Parses the load; empty if there is none.
   *
   * @throws IllegalArgumentException with the field, the value and what was expected
   */
  static Optional<ReportedLoad> parse(@Nullable Object json) {
    if (json == null) {
      return Optional.empty();
    }
    if (!(json instanceof JsonObject load)) {
      throw DecideRequest.refused("load", json, "an object with inFlight");
    }
    for (String key : load.fieldNames()) {
      if (!KEYS.contains(key)) {
        throw DecideRequest.refused(
            "load." + DecideRequest.shown(key), "unknown", "inFlight, queueDelayMillis");
      }
    }
    OptionalLong inFlight = number(load, "inFlight", MAX_IN_FLIGHT);
    if (inFlight.isEmpty()) {
      throw DecideRequest.refused("load.inFlight", "nothing", "the requests in flight");
    }
    return Optional.of(
        new ReportedLoad(
            (int) inFlight.getAsLong(), number(load, "queueDelayMillis", MAX_DELAY_MILLIS)));
  }

  private static OptionalLong number(JsonObject load, String key, int max) {
    Object value = load.getValue(key);
    if (value == null) {
      return OptionalLong.empty();
    }
    if (value instanceof Integer || value instanceof Long) {
      long number = ((Number) value).longValue();
      if (number >= 0 && number <= max) {
        return OptionalLong.of(number);
      }
    }
    throw DecideRequest.refused("load." + key, value, "a whole number between 0 and " + max);
  }
}
