package dev.weir.rules.syntax;

import dev.weir.Algorithm;
import dev.weir.Limit;
import dev.weir.rules.yaml.Problems;
import dev.weir.rules.yaml.SourceLocation;
import dev.weir.rules.yaml.Spelling;
import dev.weir.time.CalendarWindow;
import dev.weir.time.CalendarWindow.Unit;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads {@code 100/minute}, {@code 5/10s}, {@code 1000/month from day 15 in Europe/Berlin}. */
public final class LimitSyntax {
  /** The names of algorithms for rates. */
  public static final Map<String, Algorithm> ALGORITHMS =
      Map.of(
          "token-bucket", Algorithm.TOKEN_BUCKET,
          "leaky-bucket", Algorithm.LEAKY_BUCKET,
          "fixed-window", Algorithm.FIXED_WINDOW,
          "sliding-log", Algorithm.SLIDING_LOG,
          "sliding-counter", Algorithm.SLIDING_COUNTER);

  /** Possessive quantifiers on blanks: a megabyte of them is read once, without backtracking. */
  private static final String WINDOW =
      "(?:(?<count>\\d{1,9})\\s*+)?(?<unit>[a-z]+)"
          + "(?:\\s++from\\s++day\\s++(?<day>\\d{1,2}))?(?:\\s++in\\s++(?<zone>\\S+))?";

  private static final Pattern RATE =
      Pattern.compile(
          "(?<permits>\\d(?:_?\\d){0,29})\\s*+"
              + "(?:req(?:uest)?s?+\\s*+)?(?:/|(?<=\\s)per(?=\\s))\\s*+"
              + WINDOW,
          Pattern.CASE_INSENSITIVE);
  private static final Pattern WINDOW_ALONE = Pattern.compile(WINDOW, Pattern.CASE_INSENSITIVE);

  private static final Pattern DURATION =
      Pattern.compile("(\\d{1,9})\\s*([a-z]+)", Pattern.CASE_INSENSITIVE);
  private static final int MAX_DIGITS = 18;
  private static final String EXPECTED =
      "permits per window, such as 100/minute, 5/10s or 1000/day in Europe/Berlin;"
          + " or unlimited, or blocked";

  /** What an error says was expected in place of an invalid window. */
  public static final String EXPECTED_WINDOW =
      "a window, such as 10s, 5 minutes or day in Europe/Berlin";

  private static final Map<String, Duration> UNITS =
      Map.ofEntries(
          Map.entry("ms", Duration.ofMillis(1)),
          Map.entry("millisecond", Duration.ofMillis(1)),
          Map.entry("s", Duration.ofSeconds(1)),
          Map.entry("sec", Duration.ofSeconds(1)),
          Map.entry("second", Duration.ofSeconds(1)),
          Map.entry("m", Duration.ofMinutes(1)),
          Map.entry("min", Duration.ofMinutes(1)),
          Map.entry("minute", Duration.ofMinutes(1)),
          Map.entry("h", Duration.ofHours(1)),
          Map.entry("hr", Duration.ofHours(1)),
          Map.entry("hour", Duration.ofHours(1)),
          Map.entry("d", Duration.ofDays(1)),
          Map.entry("day", Duration.ofDays(1)),
          Map.entry("w", Duration.ofDays(7)),
          Map.entry("week", Duration.ofDays(7)));
  private static final Map<String, Unit> CALENDAR =
      Map.of("day", Unit.DAY, "week", Unit.WEEK, "month", Unit.MONTH, "year", Unit.YEAR);

  private LimitSyntax() {}

  /**
   * What else a rule says about its limit.
   *
   * @param algorithm null for the default
   * @param burst of a token bucket; null for the default
   * @param queue of a leaky bucket; null for the default
   */
  public record LimitOptions(
      @Nullable Algorithm algorithm, @Nullable BucketSize burst, @Nullable BucketSize queue) {
    static final LimitOptions NONE = of(null);

    static LimitOptions of(@Nullable Algorithm algorithm) {
      return new LimitOptions(algorithm, null, null);
    }
  }

  /** A burst or a queue, and its location. */
  public record BucketSize(long value, SourceLocation location) {}

  /**
   * A limit such as {@code 100/minute}.
   *
   * @throws IllegalArgumentException if the text or the options are invalid
   */
  public static Limit parse(String text, LimitOptions options) {
    Matcher rate = RATE.matcher(text.strip());
    if (!rate.matches()) {
      throw invalid("limit", text, hint(text.strip()));
    }
    String digits = rate.group("permits").replace("_", "");
    if (digits.length() > MAX_DIGITS) {
      throw invalid("permits", digits, "at most " + Limit.MAX_CAPACITY_UNITS);
    }
    return inWindow(Long.parseLong(digits), text, rate, options);
  }

  /**
   * A limit with a window such as {@code 10s} or {@code month in Europe/Berlin}.
   *
   * @throws IllegalArgumentException if the window or the options are invalid
   */
  public static Limit inWindow(long permits, String window, LimitOptions options) {
    Matcher parts = WINDOW_ALONE.matcher(window.strip());
    if (!parts.matches()) {
      throw invalid("window", window, EXPECTED_WINDOW);
    }
    return inWindow(permits, window, parts, options);
  }

  private static Limit inWindow(long permits, String text, Matcher window, LimitOptions options) {
    String unit = singular(window.group("unit"));
    boolean calendar = window.group("zone") != null || unit.equals("month") || unit.equals("year");
    if (calendar) {
      return onCalendar(text, permits, unit, window, options);
    }
    if (window.group("day") != null) {
      throw invalid("limit", text, "'from day' only with a month");
    }
    return onClock(permits, window(text, window.group("count"), unit), options);
  }

  /** What an error says was expected, according to what the text looks like. */
  private static String hint(String text) {
    if (MultipleSyntax.looksLikeMultiple(text)) {
      return "permits per window, such as 100/minute; a multiple, such as 10x, stands by itself in"
          + " overrides";
    }
    if (text.matches("\\d{1,18}")) {
      return "also a window, such as " + text + "/second or " + text + "/minute";
    }
    if (text.matches("\\d*\\.\\d.*")) {
      return "a whole number in a longer window, such as 30/minute for one in two seconds";
    }
    if (text.matches("(?!\\d+\\s*+[/p])\\d[\\d.,']*+\\s*+(?:[kKmMgG]\\s*+)?(/|(?<=\\s)per\\s).*")) {
      return "the number in digits, such as 10000/second or 10_000/second";
    }
    return EXPECTED;
  }

  /**
   * A limit with a window of a fixed length.
   *
   * @throws IllegalArgumentException if the options do not suit the algorithm, or it counts no rate
   */
  public static Limit onClock(long permits, Duration window, LimitOptions options) {
    Algorithm algorithm = options.algorithm == null ? Algorithm.TOKEN_BUCKET : options.algorithm;
    refuseUnusedOptions(algorithm, options);
    return switch (algorithm) {
      case TOKEN_BUCKET ->
          Limit.tokenBucket(permits, window, options.burst == null ? permits : options.burst.value);
      case LEAKY_BUCKET ->
          Limit.leakyBucket(permits, window, options.queue == null ? permits : options.queue.value);
      case FIXED_WINDOW -> Limit.fixedWindow(permits, window);
      case SLIDING_LOG -> Limit.slidingLog(permits, window);
      case SLIDING_COUNTER -> Limit.slidingCounter(permits, window);
      case CONCURRENCY ->
          throw new IllegalArgumentException("algorithm: concurrency (expected: one of a rate)");
    };
  }

  private static Limit onCalendar(
      String text, long permits, String unit, Matcher window, LimitOptions options) {
    Unit length = CALENDAR.get(unit);
    if (length == null || (window.group("count") != null && !window.group("count").equals("1"))) {
      throw invalid("limit", text, "one day, week, month or year of the calendar");
    }
    if (options.algorithm != null && options.algorithm != Algorithm.FIXED_WINDOW) {
      throw invalid("limit", text, "fixed-window, since windows of the calendar are fixed");
    }
    refuseUnusedOptions(Algorithm.FIXED_WINDOW, options);
    ZoneId zone = window.group("zone") == null ? ZoneId.of("UTC") : Zones.of(window.group("zone"));
    if (window.group("day") == null) {
      return Limit.fixedWindow(permits, CalendarWindow.of(length, zone));
    }
    if (length != Unit.MONTH) {
      throw invalid("limit", text, "'from day' only with a month");
    }
    return Limit.fixedWindow(
        permits, CalendarWindow.billingMonth(Integer.parseInt(window.group("day")), zone));
  }

  private static void refuseUnusedOptions(Algorithm algorithm, LimitOptions options) {
    if (options.burst != null && algorithm != Algorithm.TOKEN_BUCKET) {
      throw invalid("burst", options.burst.value, "none: only a token-bucket has a burst");
    }
    if (options.queue != null && algorithm != Algorithm.LEAKY_BUCKET) {
      throw invalid("queue", options.queue.value, "none: only a leaky-bucket has a queue");
    }
  }

  /**
   * Reads {@code 30s}, {@code 5 minutes}.
   *
   * @throws IllegalArgumentException if it is no duration, or too long for a window
   */
  public static Duration duration(String text) {
    Matcher duration = DURATION.matcher(text.strip());
    if (!duration.matches()) {
      throw invalid("duration", text, "a number and a unit, such as 30s or 5 minutes");
    }
    return window(text, duration.group(1), singular(duration.group(2)));
  }

  private static Duration window(String text, @Nullable String count, String unit) {
    Duration one = UNITS.get(unit);
    if (one == null) {
      String near = Spelling.nearest(unit, UNITS.keySet()).orElse("");
      String expected = "ms, second, minute, hour, day, week, month or year";
      throw invalid("unit", unit, near.isEmpty() ? expected : near + "; did you mean that?");
    }
    long times = count == null ? 1 : Long.parseLong(count);
    if (times < 1) {
      throw invalid("window", text, "at least 1");
    }
    Duration window = one.multipliedBy(times);
    if (window.compareTo(Limit.MAX_WINDOW) > 0) {
      throw invalid("window", text, "at most " + Limit.MAX_WINDOW.toDays() + " days");
    }
    return window;
  }

  private static String singular(String written) {
    String unit = IdentitySyntax.lower(written);
    return unit.length() > 2 && unit.endsWith("s") ? unit.substring(0, unit.length() - 1) : unit;
  }

  /** The exception for an invalid value, in the form {@code field: value (expected: expected)}. */
  public static IllegalArgumentException invalid(String field, Object value, String expected) {
    return new IllegalArgumentException(
        field + ": " + Problems.shown(value.toString()) + " (expected: " + expected + ")");
  }
}
