package dev.weir.replay.log.line;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads times, with what they leave open: a time in seconds may be any moment of its second. Most
 * lines have the second of the line before, which is compared and not read again. For one thread.
 */
final class Times {
  private static final long MICROS = Days.MICROS_PER_SECOND;
  private static final int CLF_LENGTH = 26;

  private final byte[] lastClf = new byte[CLF_LENGTH];
  private long lastClfMicros = -1;
  private final byte[] lastDay = new byte[10];
  private long lastDayNumber = -1;
  private @Nullable Strftime lastPattern;
  private @Nullable Strftime ownPattern;
  private long micros;
  private long resolution;

  /** The beginning of the time that was read last, in microseconds since 1970. */
  long micros() {
    return micros;
  }

  /** The length of what was read last, in microseconds. */
  long resolution() {
    return resolution;
  }

  /** Reads a time; false if it is none. */
  boolean read(Field field, byte[] bytes, int from, int to) {
    if (field.pattern() != null) {
      Strftime pattern = own(field.pattern());
      return pattern.read(bytes, from, to) && set(pattern.micros(), pattern.resolution());
    }
    return switch (field.form()) {
      case CLF_TIME -> clf(bytes, from, to);
      case ISO_TIME -> iso(bytes, from, to);
      case EPOCH_TIME -> epoch(bytes, from, to);
      case CLOCK_TIME -> clock(bytes, from, to);
      default -> any(bytes, from, to);
    };
  }

  /** Readers of patterns remember what they read; formats are shared. */
  @SuppressWarnings("ReferenceEquality") // there is one for each format
  private Strftime own(Strftime pattern) {
    Strftime known = ownPattern;
    if (known == null || lastPattern != pattern) {
      known = pattern.copy();
      ownPattern = known;
      lastPattern = pattern;
    }
    return known;
  }

  private boolean any(byte[] bytes, int from, int to) {
    if (to - from > 3 && bytes[from + 2] == '/') {
      return clf(bytes, from, to);
    }
    return (to - from > 8 && bytes[from + 4] == '-')
        ? iso(bytes, from, to)
        : epoch(bytes, from, to);
  }

  private boolean set(long time, long length) {
    micros = time;
    resolution = length;
    return time >= 0;
  }

  private boolean clf(byte[] bytes, int from, int to) {
    if (to - from != CLF_LENGTH) {
      return false;
    }
    if (lastClfMicros >= 0 && Arrays.equals(bytes, from, to, lastClf, 0, CLF_LENGTH)) {
      return set(lastClfMicros, MICROS);
    }
    long day =
        Days.of(
            Bytes.number(bytes, from + 7, to, 4),
            Days.month(bytes, from + 3, to),
            Bytes.number(bytes, from, to, 2));
    int clock = Days.clock(bytes, from + 12, to);
    int zone = Days.zone(bytes, from + 21, to);
    boolean marks =
        bytes[from + 2] == '/'
            && bytes[from + 6] == '/'
            && bytes[from + 11] == ':'
            && bytes[from + 20] == ' ';
    if (!marks || day < 0 || clock < 0 || zone == Integer.MIN_VALUE) {
      return false;
    }
    lastClfMicros = (day * Days.SECONDS_PER_DAY + clock - zone) * MICROS;
    System.arraycopy(bytes, from, lastClf, 0, CLF_LENGTH);
    return set(lastClfMicros, MICROS);
  }

  /** Reads a day, {@code 2026-01-31}; negative if it is none. */
  long day(byte[] bytes, int from, int to) {
    if (to - from < 10) {
      return -1;
    }
    if (lastDayNumber >= 0 && Arrays.equals(bytes, from, from + 10, lastDay, 0, 10)) {
      return lastDayNumber;
    }
    long day =
        Days.of(
            Bytes.number(bytes, from, to, 4),
            Bytes.number(bytes, from + 5, to, 2),
            Bytes.number(bytes, from + 8, to, 2));
    if (day < 0 || bytes[from + 4] != '-' || bytes[from + 7] != '-') {
      return -1;
    }
    System.arraycopy(bytes, from, lastDay, 0, 10);
    lastDayNumber = day;
    return day;
  }

  private boolean iso(byte[] bytes, int from, int to) {
    long day = day(bytes, from, to);
    int clock = day < 0 ? -1 : Days.clock(bytes, from + 11, to);
    if (clock < 0) {
      return false;
    }
    byte mark = bytes[from + 10];
    if (mark != 'T' && mark != 't' && mark != ' ' && mark != '_') {
      return false;
    }
    int at = fraction(bytes, from + 19, to);
    if (at < 0) {
      return false;
    }
    int zone = 0;
    boolean universal = at == to || (to - at == 1 && (bytes[at] == 'Z' || bytes[at] == 'z'));
    if (!universal) {
      at += bytes[at] == ' ' ? 1 : 0;
      int length = to - at > 3 && bytes[at + 3] == ':' ? 6 : 5;
      zone = to - at == length ? Days.zone(bytes, at, to) : Integer.MIN_VALUE;
    }
    long seconds = day * Days.SECONDS_PER_DAY + clock - zone;
    return zone != Integer.MIN_VALUE && set(seconds * MICROS + micros, resolution);
  }

  private boolean clock(byte[] bytes, int from, int to) {
    int clock = Days.clock(bytes, from, to);
    int end = clock < 0 ? -1 : fraction(bytes, from + 8, to);
    return end == to && set(clock * MICROS + micros, resolution);
  }

  /** Reads {@code .123} into the fields; returns where it ends, or -1 if it has no digits. */
  private int fraction(byte[] bytes, int from, int to) {
    micros = 0;
    resolution = MICROS;
    if (from >= to || (bytes[from] != '.' && bytes[from] != ',')) {
      return from;
    }
    int at = from + 1;
    for (; at < to && Bytes.digit(bytes[at]) < 10; at++) {
      if (resolution > 1) {
        resolution /= 10;
        micros += resolution * Bytes.digit(bytes[at]);
      }
    }
    return at == from + 1 ? -1 : at;
  }

  /** The magnitude says the unit: seconds have ten digits until 2286. */
  private boolean epoch(byte[] bytes, int from, int to) {
    long whole = 0;
    int at = from;
    for (; at < to && Bytes.digit(bytes[at]) < 10 && at - from < 19; at++) {
      whole = whole * 10 + Bytes.digit(bytes[at]);
    }
    int digits = at - from;
    int end = fraction(bytes, at, to);
    if (digits == 0 || digits > 19 || whole < 0 || end != to) {
      return false;
    }
    if (digits <= 11) {
      return set(whole * MICROS + micros, resolution);
    }
    if (digits <= 14) {
      return set(whole * 1_000 + micros / 1_000, Math.max(1, resolution / 1_000));
    }
    return digits <= 17 ? set(whole, 1) : set(whole / 1_000, 1);
  }
}
