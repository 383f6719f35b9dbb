package dev.weir.server.action;

import dev.weir.rule.Multiple;
import dev.weir.rules.action.Adjustment;
import dev.weir.rules.action.Adjustment.Kind;
import dev.weir.server.decide.DecideRequest;
import dev.weir.shared.fleet.FleetTable;
import io.vertx.core.json.JsonObject;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An action that an operator asks for, as JSON. Immutable.
 *
 * @param rule empty if the action is about all rules that count by the caller's identity
 * @param factor of a multiply action
 * @param caller by its hash, if it is given
 * @param lasting how long the action is to last
 */
public record ActionRequest(
    Kind kind,
    Optional<String> rule,
    Optional<Multiple> factor,
    OptionalLong caller,
    Duration lasting,
    String why) {
  private static final int MAX_WHY_CHARS = 500;
  private static final int MAX_RULE_CHARS = 500;
  private static final Duration MIN_LASTING = Duration.ofSeconds(1);
  private static final BigDecimal MAX_FACTOR = BigDecimal.valueOf(1_000_000);
  private static final Pattern DECIMAL = Pattern.compile("\\d{1,7}(\\.\\d{1,6})?x?");
  private static final Pattern LASTING = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)");

  /** Invisible characters could forge a line of a log, or move the cursor of a terminal. */
  private static final Pattern INVISIBLE =
      Pattern.compile("[\\p{Cntrl}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]");

  /**
   * Parses a request.
   *
   * @param now the time from which {@code until} counts
   * @throws IllegalArgumentException with the field, the value and what was expected
   */
  public static ActionRequest parse(JsonObject json, Instant now) {
    Kind kind = kind(json.getValue("action"));
    Set<String> known = new LinkedHashSet<>(Set.of("action", "rule", "for", "until", "why"));
    if (kind == Kind.MULTIPLY) {
      known.add("factor");
    } else if (kind.isAboutCaller()) {
      known.add("caller");
    }
    for (String field : json.fieldNames()) {
      if (!known.contains(field)) {
        throw DecideRequest.refused("field", field, expectedFields(kind));
      }
    }
    Optional<String> rule = rule(json.getValue("rule"), kind);
    Optional<Multiple> factor =
        kind == Kind.MULTIPLY ? Optional.of(factor(json.getValue("factor"))) : Optional.empty();
    OptionalLong caller =
        json.containsKey("caller") ? caller(json.getValue("caller")) : OptionalLong.empty();
    return new ActionRequest(
        kind, rule, factor, caller, lasting(json, now), why(json.getValue("why")));
  }

  private static String expectedFields(Kind kind) {
    return switch (kind) {
      case MULTIPLY -> "action, rule, factor, for or until, why";
      case SHADOW -> "action, rule, for or until, why";
      case BLOCK, EXEMPT -> "action, caller or values or request, rule, for or until, why";
    };
  }

  private static Kind kind(@Nullable Object value) {
    for (Kind kind : Kind.values()) {
      if (kind.label().equals(value)) {
        return kind;
      }
    }
    throw DecideRequest.refused("action", value, "multiply, shadow, block or exempt");
  }

  private static Optional<String> rule(@Nullable Object value, Kind kind) {
    if (value == null && kind.isAboutCaller()) {
      return Optional.empty();
    }
    if (value instanceof String text && !text.isEmpty() && text.length() <= MAX_RULE_CHARS) {
      return Optional.of(text);
    }
    throw DecideRequest.refused("rule", value, "the name of a rule, or domain/path");
  }

  private static Multiple factor(@Nullable Object value) {
    String text = String.valueOf(value);
    if ((value instanceof String || value instanceof Number) && DECIMAL.matcher(text).matches()) {
      BigDecimal factor = new BigDecimal(text.replace("x", ""));
      if (factor.signum() > 0 && factor.compareTo(MAX_FACTOR) <= 0) {
        return new Multiple(factor.movePointRight(6).longValueExact());
      }
    }
    String expected =
        "a number above 0 such as 2 or 0.5; at most 1000000, and 6 digits after the point";
    throw DecideRequest.refused("factor", value, expected);
  }

  /**
   * Parses the hash of a caller.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static OptionalLong caller(@Nullable Object value) {
    OptionalLong hash =
        value instanceof String text ? CallerHash.parse(text) : OptionalLong.empty();
    if (hash.isEmpty()) {
      throw DecideRequest.refused("caller", value, "the hash of a caller: 16 hexadecimal digits");
    }
    return hash;
  }

  private static Duration lasting(JsonObject json, Instant now) {
    Object given = json.getValue("for");
    Object until = json.getValue("until");
    if ((given == null) == (until == null)) {
      String both = given == null ? "neither" : "both";
      throw DecideRequest.refused("for, until", both, "one of them");
    }
    Duration lasting = until == null ? parseFor(given) : Duration.between(now, parseUntil(until));
    if (lasting.compareTo(MIN_LASTING) < 0 || lasting.compareTo(FleetTable.MAX_LASTING) > 0) {
      String expected = "between 1 s and " + FleetTable.MAX_LASTING.toDays() + " d from now";
      throw until == null
          ? DecideRequest.refused("for", given, expected)
          : DecideRequest.refused("until", until, expected);
    }
    return lasting;
  }

  private static Duration parseFor(@Nullable Object value) {
    Matcher form = LASTING.matcher(value instanceof String text ? text : "");
    if (!form.matches()) {
      throw DecideRequest.refused("for", value, "a number and ms, s, m, h or d, such as 15m");
    }
    long number = Long.parseLong(form.group(1));
    return switch (form.group(2)) {
      case "ms" -> Duration.ofMillis(number);
      case "s" -> Duration.ofSeconds(number);
      case "m" -> Duration.ofMinutes(number);
      case "h" -> Duration.ofHours(number);
      default -> Duration.ofDays(number);
    };
  }

  private static Instant parseUntil(Object value) {
    try {
      return Instant.parse(String.valueOf(value));
    } catch (DateTimeParseException e) {
      throw DecideRequest.refused("until", value, "a time in UTC, such as 2026-11-17T09:30:00Z");
    }
  }

  private static String why(@Nullable Object value) {
    if (value instanceof String text
        && !text.isBlank()
        && text.length() <= MAX_WHY_CHARS
        && !INVISIBLE.matcher(text).find()) {
      return text;
    }
    Object shown =
        value instanceof String text && text.length() > MAX_WHY_CHARS
            ? text.length() + " characters"
            : value;
    String expected = "the reason, for others: 1 to 500 characters, all of them visible";
    throw DecideRequest.refused("why", shown, expected);
  }

  /** What the action does to the rules. */
  public Adjustment adjustment(String id, OptionalLong callerHash) {
    return new Adjustment(id, kind, rule, factor, callerHash);
  }
}
