package dev.weir.server.decide;

import dev.weir.Claim;
import dev.weir.Descriptor;
import dev.weir.http.address.Ip;
import dev.weir.http.identity.HttpReader;
import dev.weir.http.identity.HttpSettings;
import dev.weir.http.request.CanonicalPath;
import dev.weir.rule.condition.PathReadings;
import dev.weir.rules.RulesSnapshot;
import io.vertx.core.json.JsonObject;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One request to {@code /v1/decide}: the operation, and the values of the request to decide.
 *
 * @param values the known values of the request, by name
 * @param cost replaces the cost by the rules, if present
 * @param load of the caller, if it reports it
 */
public record DecideRequest(
    Operation operation,
    Map<String, String> values,
    OptionalLong cost,
    Optional<ReportedLoad> load) {
  private static final Set<String> KEYS = Set.of("operation", "values", "cost", "load");
  private static final int MAX_VALUES = 64;
  private static final int MAX_CHARS = 8_192;

  /** What to do with the counters. */
  enum Operation {
    /** Charge the request if it may pass. */
    TAKE,
    /** Answer whether it would pass, and charge nothing. */
    PEEK,
    /** Give back what was taken. */
    REFUND,
    /** Charge it whether or not there is room: corrects an estimate afterwards. */
    CHARGE;

    /** Whether it changes counters without deciding a request. */
    boolean isChange() {
      return this == REFUND || this == CHARGE;
    }

    String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * Parses one request.
   *
   * @throws IllegalArgumentException with the field, the value and what was expected
   */
  public static DecideRequest parse(@Nullable Object json) {
    if (!(json instanceof JsonObject object)) {
      throw refused("request", "not an object", "a JSON object");
    }
    for (String key : object.fieldNames()) {
      if (!KEYS.contains(key)) {
        throw refused("field", key, "operation, values, cost, load");
      }
    }
    return new DecideRequest(
        operation(object),
        values(object),
        cost(object),
        ReportedLoad.parse(object.getValue("load")));
  }

  private static Operation operation(JsonObject object) {
    Object operation = object.getValue("operation", "take");
    for (Operation one : Operation.values()) {
      if (one.label().equals(operation)) {
        return one;
      }
    }
    throw refused("operation", operation, "take, peek, refund or charge");
  }

  private static Map<String, String> values(JsonObject object) {
    if (!(object.getValue("values") instanceof JsonObject given)) {
      throw refused("values", object.getValue("values"), "an object of names and texts");
    }
    if (given.size() > MAX_VALUES) {
      throw refused("values", given.size() + " values", "at most " + MAX_VALUES);
    }
    Map<String, String> values = new HashMap<>();
    for (Map.Entry<String, Object> one : given) {
      if (!(one.getValue() instanceof String text)) {
        throw refused("values." + shown(one.getKey()), one.getValue(), "a text");
      }
      if (text.length() > MAX_CHARS) {
        throw refused(
            "values." + shown(one.getKey()), text.length() + " characters", "at most " + MAX_CHARS);
      }
      values.put(one.getKey(), text);
    }
    return values;
  }

  private static OptionalLong cost(JsonObject object) {
    Object cost = object.getValue("cost");
    if (cost == null) {
      return OptionalLong.empty();
    }
    if (cost instanceof Integer || cost instanceof Long) {
      long number = ((Number) cost).longValue();
      if (number >= 0 && number <= Claim.MAX_COST) {
        return OptionalLong.of(number);
      }
    }
    throw refused("cost", cost, "a whole number between 0 and " + Claim.MAX_COST);
  }

  /** Whether the caller reports its load. */
  public boolean reportsLoad() {
    return load.isPresent();
  }

  /**
   * The names of values that no rule reads.
   *
   * @throws IllegalArgumentException if no rule could read a name
   */
  public List<String> unread(RulesSnapshot live) {
    return new ValueNames(live.book().names()).check(values.keySet());
  }

  /**
   * The values in the canonical form that rules compare, as if extracted from a request.
   *
   * @throws IllegalArgumentException if a value is malformed
   */
  public Descriptor descriptor(HttpSettings http) {
    Map<String, String> canonical = new HashMap<>(values);
    String path = values.get("path");
    if (path != null) {
      CanonicalPath read = CanonicalPath.of(path, http.pathCaseSensitive());
      canonical.put("path", read.path());
      String others = PathReadings.join(read.otherReadings());
      if (others != null) {
        canonical.put(PathReadings.NAME, others);
      }
    }
    String ip = values.get("ip");
    Ip address = ip == null ? null : Ip.parse(ip);
    if (ip != null && address == null) {
      throw refused("values.ip", ip, "an IPv4 or IPv6 address");
    }
    if (address != null) {
      canonical.put("ip", address.prefix(http.ipv4Prefix(), http.ipv6Prefix()));
      canonical.put("ip exact", address.toString());
    }
    canonical.replaceAll(
        (name, value) -> name.startsWith("cookie ") ? HttpReader.cookie(value) : value);
    canonical.computeIfPresent("method", (name, value) -> HttpReader.method(value));
    canonical.computeIfPresent("host", (name, value) -> HttpReader.host(value));
    return Descriptor.of(canonical);
  }

  /** An error with the field, the value and what was expected. */
  public static IllegalArgumentException refused(
      String field, @Nullable Object value, String expected) {
    String shown = shown(String.valueOf(value));
    return new IllegalArgumentException(field + ": " + shown + " (expected: " + expected + ")");
  }

  /** A text as error messages show it: not too long. */
  public static String shown(String text) {
    return text.length() > 100 ? text.substring(0, 100) + "…" : text;
  }
}
