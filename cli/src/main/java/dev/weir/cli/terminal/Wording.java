package dev.weir.cli.terminal;

import dev.weir.Limit;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Formats counts, limits and durations in the notation of rules files. */
public final class Wording {
  private static final Map<Duration, String> WINDOWS =
      Map.of(
          Duration.ofMillis(1), "millisecond",
          Duration.ofSeconds(1), "second",
          Duration.ofMinutes(1), "minute",
          Duration.ofHours(1), "hour",
          Duration.ofDays(1), "day",
          Duration.ofDays(7), "week");

  private Wording() {}

  /** A count with its noun: {@code 1 rule}, {@code 2 rules}. */
  public static String count(long count, String noun) {
    return count + " " + noun + (count == 1 ? "" : "s");
  }

  /** A limit: {@code 10/second, burst 20, token-bucket}. */
  public static String limit(Limit limit) {
    String per = limit.calendar().map(Object::toString).orElseGet(() -> window(limit.window()));
    return limit(algorithm(limit), limit.permits(), per, limit.capacity(), limit.window());
  }

  /** A limit that is given by its numbers only: {@code 10/second, burst 20, token-bucket}. */
  public static String limit(
      String algorithm, long permits, String per, long capacity, Duration window) {
    String rate = permits + "/" + per;
    return switch (algorithm) {
      case "token-bucket" -> rate + ", burst " + capacity + ", " + algorithm;
      case "leaky-bucket" -> rate + ", queue " + (capacity - 1) + ", " + algorithm;
      case "concurrency" -> permits + " at a time, each for at most " + duration(window);
      default -> rate + ", " + algorithm;
    };
  }

  /** The algorithm of a limit: {@code token-bucket}. */
  public static String algorithm(Limit limit) {
    return lower(limit.algorithm());
  }

  /** A constant in the notation of rules files: {@code allow} for {@code ALLOW}. */
  public static String lower(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** A mode with its share, if any: {@code leased, share 5%}. */
  public static String mode(String mode, @Nullable String share) {
    return share == null ? mode : mode + ", share " + share;
  }

  /** A window: {@code minute}, {@code 36h}. */
  public static String window(Duration window) {
    String word = WINDOWS.get(window);
    return word == null ? duration(window) : word;
  }

  private static String duration(Duration duration) {
    long millis = duration.toMillis();
    if (millis % 1_000 != 0) {
      return millis + "ms";
    }
    long seconds = millis / 1_000;
    if (seconds % 60 != 0) {
      return seconds + "s";
    }
    long minutes = seconds / 60;
    if (minutes % 60 != 0) {
      return minutes + "m";
    }
    return minutes % 1_440 == 0 ? minutes / 1_440 + "d" : minutes / 60 + "h";
  }
}
