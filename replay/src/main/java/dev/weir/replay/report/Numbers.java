package dev.weir.replay.report;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;

/** Numbers and moments as people read them. */
public final class Numbers {
  private static final DateTimeFormatter MOMENT =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);
  private static final String LEVELS = "▁▂▃▄▅▆▇█";
  private static final double SMALLEST = 0.000_1;

  private Numbers() {}

  /** A whole number: {@code 1,204,332}. */
  public static String of(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /** A number with its noun: {@code 1 caller}, {@code 12 callers}. */
  public static String count(long number, String noun) {
    return of(number) + " " + noun + (number == 1 ? "" : "s");
  }

  /** A share of 1: {@code 0.34 %}; what is not zero does not look like it. */
  public static String percent(double share) {
    if (share == 0 || share == 1) {
      return share == 0 ? "0 %" : "100 %";
    }
    if (share < SMALLEST) {
      return "< 0.01 %";
    }
    if (share >= 1 || 100 * share == Math.rint(100 * share)) {
      return of(Math.round(100 * share)) + " %";
    }
    String digits = String.format(Locale.ROOT, share < 0.1 ? "%.2f" : "%.1f", 100 * share);
    return (digits.endsWith("0") ? digits.substring(0, digits.length() - 1) : digits) + " %";
  }

  /** A rate: {@code 0.4}, {@code 12}, {@code 1,204}. */
  public static String rate(double rate) {
    return rate < 10 && rate != Math.rint(rate)
        ? String.format(Locale.ROOT, "%.1f", rate)
        : of(Math.round(rate));
  }

  /** A moment in UTC, to the second. */
  public static String moment(long micros) {
    return MOMENT.format(Instant.ofEpochSecond(Math.floorDiv(micros, 1_000_000L)));
  }

  /** A length of time: {@code 2 s}, {@code 17 min}, {@code 3 h}, {@code 2 d}. */
  public static String length(long micros) {
    Duration time = Duration.ofMillis(micros / 1_000);
    if (time.toMinutes() < 2) {
      return time.toSeconds() + " s";
    }
    if (time.toHours() < 2) {
      return time.toMinutes() + " min";
    }
    return time.toDays() < 2 ? time.toHours() + " h" : time.toDays() + " d";
  }

  /** A line of bars, at most so many: the highest count has the highest bar. */
  public static String bars(List<Long> counts, int width) {
    int columns = Math.min(width, counts.size());
    double[] means = new double[columns];
    double max = 0;
    for (int i = 0; i < columns; i++) {
      List<Long> part =
          counts.subList(i * counts.size() / columns, (i + 1) * counts.size() / columns);
      means[i] = part.stream().mapToLong(Long::longValue).average().orElse(0);
      max = Math.max(max, means[i]);
    }
    StringBuilder bars = new StringBuilder(columns);
    for (double mean : means) {
      int level = (int) Math.ceil(mean / max * LEVELS.length());
      bars.append(mean == 0 ? ' ' : LEVELS.charAt(Math.max(1, level) - 1));
    }
    return bars.toString();
  }
}
