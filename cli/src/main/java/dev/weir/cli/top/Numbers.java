package dev.weir.cli.top;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Numbers and times as people read them. */
final class Numbers {
  private static final String LEVELS = "▁▂▃▄▅▆▇█";
  private static final DateTimeFormatter CLOCK =
      DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT);
  private static final DateTimeFormatter DAY =
      DateTimeFormatter.ofPattern("MM-dd HH:mm", Locale.ROOT);

  /** Beyond it a time has no date in the calendar of this machine. */
  private static final long MAX_MILLIS = Duration.ofDays(365_000).toMillis();

  private Numbers() {}

  static String count(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }

  /** With a decimal place for small ones, where it matters; a dash if it is not known. */
  static String rate(double perSecond) {
    if (Double.isNaN(perSecond)) {
      return "-";
    }
    if (perSecond > 0 && perSecond < 0.05) {
      return "<0.1";
    }
    boolean whole = perSecond >= 100 || perSecond == Math.rint(perSecond);
    return String.format(Locale.ROOT, whole ? "%,.0f" : "%,.1f", perSecond);
  }

  static String latency(long micros) {
    if (micros < 1_000) {
      return micros + " µs";
    }
    return micros < 1_000_000 ? rate(micros / 1e3) + " ms" : rate(micros / 1e6) + " s";
  }

  /** A duration by its largest unit, rounded down; {@code 59 s}, {@code 4 min}, {@code 2 d}. */
  static String duration(Duration duration) {
    long seconds = Math.max(0, duration.toSeconds());
    if (seconds < 60) {
      return seconds + " s";
    }
    if (seconds < 3_600) {
      return seconds / 60 + " min";
    }
    return seconds < 86_400 ? seconds / 3_600 + " h" : seconds / 86_400 + " d";
  }

  /** A time of the server, which may have sent any number. */
  static Instant instant(long millis) {
    return Instant.ofEpochMilli(Math.max(0, Math.min(MAX_MILLIS, millis)));
  }

  /** A time of day; with the date if it is not of the last twelve hours. */
  static String moment(Instant moment, Instant now, ZoneId zone) {
    boolean near = Duration.between(moment, now).abs().compareTo(Duration.ofHours(12)) < 0;
    return (near ? CLOCK : DAY).format(moment.atZone(zone));
  }

  /** A column for each value, the highest one full; a dot for none, a blank for unknown ones. */
  static String sparkline(List<Double> values) {
    double max = values.stream().mapToDouble(value -> value).filter(v -> v > 0).max().orElse(1);
    StringBuilder line = new StringBuilder();
    for (double value : values) {
      if (value > 0) {
        int level = (int) Math.ceil(value / max * LEVELS.length()) - 1;
        line.append(LEVELS.charAt(Math.max(0, level)));
      } else {
        line.append(Double.isNaN(value) ? ' ' : '.');
      }
    }
    return line.toString();
  }

  /** The sums of groups of values, so that at most so many columns are left. */
  static List<Double> grouped(List<Double> values, int columns) {
    int size = Math.max(1, (values.size() + columns - 1) / Math.max(1, columns));
    List<Double> sums = new ArrayList<>();
    for (int from = 0; from + size <= values.size(); from += size) {
      sums.add(values.subList(from, from + size).stream().mapToDouble(value -> value).sum());
    }
    return sums;
  }
}
