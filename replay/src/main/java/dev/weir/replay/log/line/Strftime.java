package dev.weir.replay.log.line;

import dev.weir.internal.Rejections;
import java.nio.charset.StandardCharsets;

/** Reads times by a pattern of {@code strftime}, as Apache's {@code %{format}t}. For one thread. */
final class Strftime {
  private static final int MAX_LENGTH = 200;

  private final byte[] steps;
  private final int minLength;
  private int year;
  private int month;
  private int day;
  private int seconds;
  private int zone;
  private long epoch;

  private Strftime(byte[] steps, int minLength) {
    this.steps = steps;
    this.minLength = minLength;
  }

  static Strftime parse(String pattern) {
    String plain =
        pattern
            .replace("%T", "%H:%M:%S")
            .replace("%R", "%H:%M")
            .replace("%D", "%m/%d/%y")
            .replace("%F", "%Y-%m-%d")
            .replace("%h", "%b")
            .replace("%n", "\n")
            .replace("%t", "\t");
    if (plain.length() > MAX_LENGTH) {
      throw Rejections.of("time format", pattern, "at most " + MAX_LENGTH + " characters");
    }
    int length = 0;
    for (int i = 0; i < plain.length(); i++, length++) {
      if (plain.charAt(i) == '%') {
        char code = i + 1 < plain.length() ? plain.charAt(++i) : '?';
        length +=
            switch (code) {
              case 'd', 'e', 'm', 'H', 'k', 'M', 'S', 'y' -> 1;
              case 'b', 'a' -> 2;
              case 'Y' -> 3;
              case 'z' -> 4;
              case 's' -> 9;
              case '%' -> 0;
              default ->
                  throw Rejections.of(
                      "time format", pattern, "%a %b %d %e %F %H %k %m %M %R %s %S %T %y %Y %z");
            };
      }
    }
    return new Strftime(plain.getBytes(StandardCharsets.ISO_8859_1), length);
  }

  Strftime copy() {
    return new Strftime(steps, minLength);
  }

  int minLength() {
    return minLength;
  }

  long micros() {
    if (epoch >= 0) {
      return epoch * Days.MICROS_PER_SECOND;
    }
    long days = Days.of(year, month, day);
    return days < 0 ? -1 : (days * Days.SECONDS_PER_DAY + seconds - zone) * Days.MICROS_PER_SECOND;
  }

  long resolution() {
    return Days.MICROS_PER_SECOND;
  }

  boolean read(byte[] bytes, int from, int to) {
    year = 1970;
    month = 1;
    day = 1;
    seconds = 0;
    zone = 0;
    epoch = -1;
    int at = from;
    for (int i = 0; i < steps.length; i++) {
      if (steps[i] != '%' || steps[i + 1] == '%') {
        i += steps[i] == '%' ? 1 : 0;
        if (at >= to || bytes[at++] != steps[i]) {
          return false;
        }
      } else {
        int length = step(steps[++i], bytes, at, to);
        if (length <= 0) {
          return false;
        }
        at += length;
      }
    }
    return at == to;
  }

  /** Reads one part; returns how long it is, or 0 if it is not there. */
  private int step(byte code, byte[] bytes, int at, int to) {
    int digits = code == 'Y' ? 4 : 2;
    boolean spaced = (code == 'e' || code == 'k') && at < to && bytes[at] == ' ';
    int value = Bytes.number(bytes, at + (spaced ? 1 : 0), to, spaced ? 1 : digits);
    switch (code) {
      case 'Y' -> year = value;
      case 'y' -> year = value < 0 ? -1 : 2000 + value;
      case 'm' -> month = value;
      case 'd', 'e' -> day = value;
      case 'H', 'k' -> seconds += value * 3_600;
      case 'M' -> seconds += value * 60;
      case 'S' -> seconds += value;
      case 'b' -> {
        month = Days.month(bytes, at, to);
        return month > 0 ? 3 : 0;
      }
      case 'a' -> {
        return to - at >= 3 ? 3 : 0;
      }
      case 'z' -> {
        zone = Days.zone(bytes, at, to);
        return zone == Integer.MIN_VALUE ? 0 : bytes[at + 3] == ':' ? 6 : 5;
      }
      default -> {
        return epochSeconds(bytes, at, to);
      }
    }
    return value < 0 ? 0 : digits;
  }

  private int epochSeconds(byte[] bytes, int from, int to) {
    int at = from;
    epoch = 0;
    for (; at < to && at - from < 11 && Bytes.digit(bytes[at]) < 10; at++) {
      epoch = epoch * 10 + Bytes.digit(bytes[at]);
    }
    return at - from;
  }
}
