package dev.weir.replay.run;

import dev.weir.Algorithm;
import dev.weir.Limit;
import java.time.Duration;
import java.util.Map;

/** Limits in the notation of rules files. */
public final class LimitText {
  private static final Map<Duration, String> WORDS =
      Map.of(
          Duration.ofMillis(1), "ms",
          Duration.ofSeconds(1), "second",
          Duration.ofMinutes(1), "minute",
          Duration.ofHours(1), "hour",
          Duration.ofDays(1), "day",
          Duration.ofDays(7), "week");

  private LimitText() {}

  /** A limit: {@code 10/second}, with its burst or queue if that is not the default. */
  public static String of(Limit limit) {
    if (limit.algorithm() == Algorithm.CONCURRENCY) {
      return limit.permits() + " at once";
    }
    String per = limit.calendar().map(Object::toString).orElseGet(() -> window(limit.window()));
    String rate = limit.permits() + "/" + per;
    return switch (limit.algorithm()) {
      case TOKEN_BUCKET ->
          limit.capacity() == limit.permits() ? rate : rate + ", burst " + limit.capacity();
      case LEAKY_BUCKET ->
          limit.capacity() - 1 == limit.permits()
              ? rate
              : rate + ", queue " + (limit.capacity() - 1);
      default -> rate;
    };
  }

  /** A window: {@code second}, {@code 10s}, {@code 36h}. */
  public static String window(Duration window) {
    String word = WORDS.get(window);
    if (word != null) {
      return word;
    }
    long millis = window.toMillis();
    if (window.toNanos() % 1_000_000 != 0) {
      return window.toNanos() / 1_000 + "µs";
    }
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
