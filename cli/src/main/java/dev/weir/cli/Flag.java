package dev.weir.cli;

import java.util.List;
import java.util.Locale;

/**
 * Reads the values of flags; what makes no sense is refused by flag, value and what was expected.
 */
final class Flag {
  private Flag() {}

  static IllegalArgumentException refused(String flag, String value, String expected) {
    String shown = value.isEmpty() ? "nothing" : value;
    return new IllegalArgumentException(flag + ": " + shown + " (expected: " + expected + ")");
  }

  /** What a part of the server refused by a name of its own, by the name that users know. */
  static IllegalArgumentException named(String flag, IllegalArgumentException e) {
    String message = String.valueOf(e.getMessage());
    int colon = message.indexOf(": ");
    return new IllegalArgumentException(
        flag + ": " + message.substring(colon < 0 ? 0 : colon + 2), e);
  }

  /** A whole number within bounds. */
  static long whole(String flag, String value, long min, long max) {
    return whole(flag, value, min, max, "a whole number between " + min + " and " + max);
  }

  private static long whole(String flag, String value, long min, long max, String expected) {
    if (value.matches("-?[0-9]{1,18}")) {
      long number = Long.parseLong(value);
      if (number >= min && number <= max) {
        return number;
      }
    }
    throw refused(flag, value, expected);
  }

  /** A port to listen on; 0 for any that is free. */
  static int port(String flag, String value) {
    String expected = "a port between 1 and 65535, or 0 for a free one";
    return (int) whole(flag, value, 0, 65_535, expected);
  }

  /** The same, or -1. */
  static int portOrNone(String flag, String value) {
    String expected = "a port between 1 and 65535, 0 for a free one, or -1 for none";
    return (int) whole(flag, value, -1, 65_535, expected);
  }

  /** One of some words, in any case. */
  static String word(String flag, String value, List<String> words) {
    String lower = value.toLowerCase(Locale.ROOT);
    if (!words.contains(lower)) {
      throw refused(flag, value, oneOf(words));
    }
    return lower;
  }

  /** Such as {@code a, b or c}. */
  static String oneOf(List<String> words) {
    int last = words.size() - 1;
    return last == 0
        ? words.get(0)
        : String.join(", ", words.subList(0, last)) + " or " + words.get(last);
  }
}
