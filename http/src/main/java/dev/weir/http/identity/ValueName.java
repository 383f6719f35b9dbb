package dev.weir.http.identity;

import dev.weir.http.Ascii;
import dev.weir.rule.condition.PathReadings;
import org.jspecify.annotations.Nullable;

/**
 * The parsed name of a value: {@code header x-plan} is a kind and an argument.
 *
 * @param argument empty for kinds without one
 */
record ValueName(Kind kind, String argument) {
  private static final String FORMS =
      "method, host, path, path other-readings, ip, ip exact, principal,"
          + " header <name>, trusted-header <name>, cookie <name> or jwt <claim>";

  enum Kind {
    METHOD("method"),
    HOST("host"),
    PATH("path"),
    OTHER_PATH(PathReadings.NAME),
    IP("ip"),
    EXACT_IP("ip exact"),
    PRINCIPAL(HttpReader.PRINCIPAL),
    HEADER("header "),
    TRUSTED_HEADER("trusted-header "),
    COOKIE("cookie "),
    JWT("jwt ");

    private final String text;

    Kind(String text) {
      this.text = text;
    }

    boolean hasArgument() {
      return text.endsWith(" ");
    }
  }

  /** Parses a name; null if no request has a value of this name. */
  static @Nullable ValueName parse(String name) {
    for (Kind kind : Kind.values()) {
      if (kind.hasArgument() ? name.startsWith(kind.text) : name.equals(kind.text)) {
        ValueName parsed = new ValueName(kind, name.substring(kind.text.length()));
        return parsed.argumentProblem() == null ? parsed : null;
      }
    }
    return null;
  }

  /** Whether the value comes from a verified token. */
  boolean isClaim() {
    return kind == Kind.JWT;
  }

  /** Why no request has a value of this name; null if one can have it. */
  static @Nullable String problem(String name) {
    for (Kind kind : Kind.values()) {
      if (kind.hasArgument() && name.startsWith(kind.text)) {
        String expected = new ValueName(kind, name.substring(kind.text.length())).argumentProblem();
        return expected == null ? null : name + " (expected: " + expected + ")";
      }
    }
    return parse(name) == null ? name + " (expected: " + FORMS + ")" : null;
  }

  private @Nullable String argumentProblem() {
    return switch (kind) {
      case HEADER, TRUSTED_HEADER ->
          Ascii.isToken(argument) && !Ascii.hasUpper(argument)
              ? null
              : "a header's name in lower case, such as " + kind.text + "x-plan";
      case COOKIE -> Ascii.isToken(argument) ? null : "a cookie's name, such as cookie session";
      case JWT ->
          argument.isBlank() || !argument.equals(argument.trim())
              ? "a claim's name, such as jwt sub or jwt org.id"
              : null;
      default -> null;
    };
  }
}
