package dev.weir.replay.log.line;

import java.util.Locale;

/** Reads how long a request took. For one thread. */
final class Durations {
  private static final long MAX_WHOLE = 10_000_000_000_000L;

  private long micros;
  private long resolution;

  /** What was read last, in microseconds; negative if the log says that there is none. */
  long micros() {
    return micros;
  }

  /** The unit of what was read last, in microseconds. */
  long resolution() {
    return resolution;
  }

  /** Reads a duration; false if it is none. */
  boolean read(Form form, byte[] bytes, int from, int to) {
    if (bytes[from] == '-') {
      micros = -1; // balancers write -1 if a request did not get that far
      resolution = 1;
      return true;
    }
    int end = to;
    while (end > from && isLetter(bytes[end - 1])) {
      end--;
    }
    int point = Bytes.indexOf(bytes, from, end, '.');
    long nanos = unit(form, bytes, end, to, point >= 0);
    long whole = whole(bytes, from, point < 0 ? end : point);
    boolean inexact = form == Form.EXACT_SECONDS && end - point != 7;
    if (nanos == 0 || whole < 0 || inexact) {
      return false;
    }
    long fraction = 0;
    long step = nanos;
    for (int at = point < 0 ? end : point + 1; at < end; at++) {
      int digit = Bytes.digit(bytes[at]);
      if (digit > 9) {
        return false;
      }
      step /= 10;
      fraction += step * digit;
    }
    if (whole > Long.MAX_VALUE / 2 / nanos) {
      return false;
    }
    micros = (whole * nanos + fraction) / 1_000;
    resolution = Math.max(1, step / 1_000);
    return true;
  }

  private static long whole(byte[] bytes, int from, int to) {
    long value = 0;
    for (int at = from; at < to; at++) {
      int digit = Bytes.digit(bytes[at]);
      if (digit > 9 || value > MAX_WHOLE) {
        return -1;
      }
      value = value * 10 + digit;
    }
    return from < to ? value : -1;
  }

  private static boolean isLetter(byte character) {
    return character < 0 || character >= 'A'; // also the first letter of microseconds in UTF-8
  }

  /** The nanoseconds of a unit; 0 if it is none. */
  private static long unit(Form form, byte[] bytes, int from, int to, boolean point) {
    if (from < to) {
      if (form != Form.ANY_DURATION) {
        return 0;
      }
      String unit = new String(bytes, from, to - from, java.nio.charset.StandardCharsets.UTF_8);
      return switch (unit.toLowerCase(Locale.ROOT)) {
        case "s", "sec" -> 1_000_000_000;
        case "ms", "msec" -> 1_000_000;
        case "us", "µs", "μs", "usec" -> 1_000;
        case "ns" -> 1;
        default -> 0;
      };
    }
    return switch (form) {
      case SECONDS, EXACT_SECONDS -> 1_000_000_000;
      case MILLIS -> 1_000_000;
      case MICROS -> 1_000;
      case NANOS -> 1;
      default -> point ? 1_000_000_000 : 1_000_000;
    };
  }
}
