package dev.weir.cli.size;

import dev.weir.cli.command.Flag;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses and prints sizes in bytes. */
final class ByteFlag {
  private static final long MIB = 1L << 20;
  private static final long GIB = 1L << 30;
  private static final Pattern SIZE = Pattern.compile("(\\d{1,6})\\s*([a-zA-Z]{1,3})");
  private static final Map<String, Long> UNITS =
      Map.of(
          "mb",
          1_000_000L,
          "gb",
          1_000_000_000L,
          "tb",
          1_000_000_000_000L,
          "mib",
          MIB,
          "gib",
          GIB,
          "tib",
          1L << 40);

  private static final long MIN = 64 * MIB;
  private static final long MAX = 64L << 40;
  private static final String[] DECIMAL = {"B", "kB", "MB", "GB", "TB", "PB"};

  private ByteFlag() {}

  /**
   * Parses a size such as {@code 8GiB}.
   *
   * @throws IllegalArgumentException if it is not one between 64 MiB and 64 TiB
   */
  static long parse(String flag, String text) {
    Matcher size = SIZE.matcher(text);
    if (size.matches()) {
      Long unit = UNITS.get(size.group(2).toLowerCase(Locale.ROOT));
      long bytes = unit == null ? 0 : Long.parseLong(size.group(1)) * unit;
      if (bytes >= MIN && bytes <= MAX) {
        return bytes;
      }
    }
    throw Flag.invalid(flag, text, "a size between 64MiB and 64TiB, such as 8GiB");
  }

  /** The memory of a machine, in binary units where it is whole: {@code 8 GiB}. */
  static String memory(long bytes) {
    if (bytes % MIB != 0) {
      return text((double) bytes);
    }
    boolean large = bytes % GIB == 0;
    return large ? bytes / GIB + " GiB" : bytes / MIB + " MiB";
  }

  /** A size in three digits: {@code 167 MB}, {@code 1.20 GB}. */
  static String text(double bytes) {
    double value = bytes;
    int unit = 0;
    while (value >= 999.5 && unit < DECIMAL.length - 1) {
      value /= 1000;
      unit++;
    }
    String format =
        unit == 0 || value >= 99.95 ? "%.0f %s" : value >= 9.995 ? "%.1f %s" : "%.2f %s";
    return String.format(Locale.ROOT, format, value, DECIMAL[unit]);
  }
}
