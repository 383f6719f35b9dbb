package dev.weir.replay.log.line;

/** Days and times of the calendar as numbers. */
final class Days {
  static final long MICROS_PER_SECOND = 1_000_000;
  static final long SECONDS_PER_DAY = 86_400;
  private static final byte[] MONTHS =
      "JanFebMarAprMayJunJulAugSepOctNovDec".getBytes(java.nio.charset.StandardCharsets.US_ASCII);

  private Days() {}

  /** The number of a day since 1970; negative if there is no such day, or if it is before 1970. */
  static long of(int year, int month, int day) {
    if (year < 1970 || year > 2999 || month < 1 || month > 12 || day < 1 || day > 31) {
      return -1;
    }
    if (day > 28 && day > java.time.YearMonth.of(year, month).lengthOfMonth()) {
      return -1;
    }
    // Years start in March, so that the day that comes every four years is their last.
    int shifted = month > 2 ? year : year - 1;
    int century = shifted / 100;
    int ofYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return 146_097L * century / 4 + 1_461L * (shifted % 100) / 4 + ofYear - 719_468;
  }

  /** The number of the month that begins with these three letters; negative if there is none. */
  static int month(byte[] bytes, int at, int to) {
    if (to - at >= 3) {
      for (int i = 0; i < MONTHS.length; i += 3) {
        if (bytes[at] == MONTHS[i]
            && bytes[at + 1] == MONTHS[i + 1]
            && bytes[at + 2] == MONTHS[i + 2]) {
          return i / 3 + 1;
        }
      }
    }
    return -1;
  }

  /** The second of the day of {@code 13:55:36}; negative if it is none. */
  static int clock(byte[] bytes, int at, int to) {
    int hour = Bytes.number(bytes, at, to, 2);
    int minute = Bytes.number(bytes, at + 3, to, 2);
    int second = Bytes.number(bytes, at + 6, to, 2);
    boolean valid =
        hour >= 0 && hour < 24 && minute >= 0 && minute < 60 && second >= 0 && second <= 60;
    return valid && bytes[at + 2] == ':' && bytes[at + 5] == ':'
        ? (hour * 60 + minute) * 60 + second
        : -1;
  }

  /** The seconds of {@code +0100} or {@code +01:00}; {@link Integer#MIN_VALUE} if it is none. */
  static int zone(byte[] bytes, int at, int to) {
    if (to - at < 5 || (bytes[at] != '+' && bytes[at] != '-')) {
      return Integer.MIN_VALUE;
    }
    int hours = Bytes.number(bytes, at + 1, to, 2);
    int minutes = Bytes.number(bytes, at + (bytes[at + 3] == ':' ? 4 : 3), to, 2);
    if (hours < 0 || hours > 18 || minutes < 0 || minutes > 59) {
      return Integer.MIN_VALUE;
    }
    int seconds = (hours * 60 + minutes) * 60;
    return bytes[at] == '-' ? -seconds : seconds;
  }
}
