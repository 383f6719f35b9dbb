package dev.weir.cli.load;

import java.util.Locale;

/** Numbers with their units, short enough for a table. */
public final class Units {
  private static final long MICROS_PER_MILLI = 1_000;
  private static final long MICROS_PER_SECOND = 1_000_000;

  private Units() {}

  /** A latency: {@code 0.42 ms}, {@code 37.5 ms}, {@code 680 ms}, {@code 10.0 s}. */
  public static String latency(long micros) {
    if (micros < 10 * MICROS_PER_MILLI) {
      return format("%.2f ms", micros / (double) MICROS_PER_MILLI);
    }
    if (micros < 100 * MICROS_PER_MILLI) {
      return format("%.1f ms", micros / (double) MICROS_PER_MILLI);
    }
    return micros < MICROS_PER_SECOND
        ? format("%.0f ms", micros / (double) MICROS_PER_MILLI)
        : format("%.1f s", micros / (double) MICROS_PER_SECOND);
  }

  /** A number with commas: {@code 12,000}. */
  public static String count(long number) {
    return format("%,d", number);
  }

  /** A share: {@code 0.04 %}, {@code 93.6 %}; {@code 0 %} only if there is none. */
  public static String percent(long part, long whole) {
    double percent = whole == 0 ? 0 : 100.0 * part / whole;
    return part == 0 ? "0 %" : format(percent < 1 ? "%.2f %%" : "%.1f %%", percent);
  }

  private static String format(String format, Object number) {
    return String.format(Locale.ROOT, format, number);
  }
}
