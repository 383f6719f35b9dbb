package dev.weir.cli.command;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses values of flags. Error messages name the flag, its value and what was expected. */
public final class Flag {
  private static final Pattern TIME = Pattern.compile("(\\d{1,9})(ms|s)");

  private Flag() {}

  /** The exception for an invalid value: {@code flag: value (expected: …)}. */
  public static IllegalArgumentException invalid(String flag, String value, String expected) {
    String shown = value.isEmpty() ? "nothing" : value;
    return new IllegalArgumentException(flag + ": " + shown + " (expected: " + expected + ")");
  }

  /**
   * Replaces the field name in a message of the form {@code field: value (expected: …)} by the name
   * of the flag, which is the name that users know.
   */
  public static IllegalArgumentException renamed(String flag, IllegalArgumentException e) {
    String message = String.valueOf(e.getMessage());
    int colon = message.indexOf(": ");
    return new IllegalArgumentException(
        flag + ": " + message.substring(colon < 0 ? 0 : colon + 2), e);
  }

  /**
   * Parses a whole number within bounds.
   *
   * @throws IllegalArgumentException if it is not a number between {@code min} and {@code max}
   */
  public static long integer(String flag, String value, long min, long max) {
    return integer(flag, value, min, max, "a whole number between " + min + " and " + max);
  }

  private static long integer(String flag, String value, long min, long max, String expected) {
    if (value.matches("-?[0-9]{1,18}")) {
      long number = Long.parseLong(value);
      if (number >= min && number <= max) {
        return number;
      }
    }
    throw invalid(flag, value, expected);
  }

  /**
   * Parses a port to listen on; 0 stands for any free port.
   *
   * @throws IllegalArgumentException if it is not a port
   */
  public static int port(String flag, String value) {
    String expected = "a port between 1 and 65535, or 0 for a free one";
    return (int) integer(flag, value, 0, 65_535, expected);
  }

  /**
   * Parses a port to listen on; 0 stands for any free port, -1 for no listener.
   *
   * @throws IllegalArgumentException if it is neither
   */
  public static int portOrNone(String flag, String value) {
    String expected = "a port between 1 and 65535, 0 for a free one, or -1 for none";
    return (int) integer(flag, value, -1, 65_535, expected);
  }

  /**
   * Parses a number from 0 to 1.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static double ratio(String flag, String value) {
    if (value.matches("[0-9]{0,9}(\\.[0-9]{1,18})?") && !value.isEmpty()) {
      double ratio = Double.parseDouble(value);
      if (ratio <= 1) {
        return ratio;
      }
    }
    throw invalid(flag, value, "a number between 0 and 1, such as 0.01");
  }

  /**
   * Parses a time with its unit.
   *
   * @throws IllegalArgumentException if it is not a time between {@code min} and {@code max}
   */
  public static Duration duration(String flag, String value, Duration min, Duration max) {
    Matcher time = TIME.matcher(value);
    if (time.matches()) {
      long millis = Long.parseLong(time.group(1)) * (time.group(2).equals("s") ? 1_000 : 1);
      if (millis >= min.toMillis() && millis <= max.toMillis()) {
        return Duration.ofMillis(millis);
      }
    }
    String between = "between " + min.toMillis() + "ms and " + max.toSeconds() + "s";
    throw invalid(flag, value, "a time such as 500ms or 30s, " + between);
  }

  /**
   * Parses one of several words, in any case.
   *
   * @return the word in lower case
   * @throws IllegalArgumentException if it is none of them
   */
  public static String choice(String flag, String value, List<String> words) {
    String lower = value.toLowerCase(Locale.ROOT);
    if (!words.contains(lower)) {
      throw invalid(flag, value, oneOf(words));
    }
    return lower;
  }

  /** Lists words for a message: {@code a, b or c}. */
  public static String oneOf(List<String> words) {
    int last = words.size() - 1;
    return last == 0
        ? words.get(0)
        : String.join(", ", words.subList(0, last)) + " or " + words.get(last);
  }
}
