package dev.weir.operations;

import java.time.Duration;
import java.util.regex.Pattern;

/**
 * Shortens all times of alerts, of scrapes and of evaluations by one factor, so that alerts whose
 * times are minutes fire within seconds. Expressions, thresholds and the number of samples in each
 * window stay as they are in production. The times of Weir itself are not shortened: what takes it
 * a second counts as many.
 */
record TimeScale(int factor) {
  /** The interval between two scrapes and between two evaluations that the alerts are made for. */
  private static final Duration INTERVAL = Duration.ofSeconds(15);

  /** How long Prometheus regards a sample as current. */
  private static final Duration LOOKBACK = Duration.ofMinutes(5);

  private static final Pattern TIME =
      Pattern.compile("(?<=\\bfor: |\\[|\\boffset )(\\d+)([smhd])(?=\\]|\\b)");

  Duration interval() {
    return scaled(INTERVAL);
  }

  Duration lookback() {
    return scaled(LOOKBACK);
  }

  Duration scaled(Duration time) {
    return time.dividedBy(factor);
  }

  /** A file of rules with shorter times. */
  String scaled(String rules) {
    return TIME.matcher(rules)
        .replaceAll(
            found -> text(scaled(time(Long.parseLong(found.group(1)), found.group(2).charAt(0)))));
  }

  /** A file of rules without its times, to compare two that differ in nothing else. */
  static String timeless(String rules) {
    return rules.replaceAll("(?<=\\bfor: |\\[|\\boffset )\\d+(ms|[smhd])(?=\\]|\\b)", "TIME");
  }

  static String text(Duration time) {
    return time.toMillis() + "ms";
  }

  private static Duration time(long number, char unit) {
    return switch (unit) {
      case 's' -> Duration.ofSeconds(number);
      case 'm' -> Duration.ofMinutes(number);
      case 'h' -> Duration.ofHours(number);
      default -> Duration.ofDays(number);
    };
  }
}
