package dev.weir.time;

import dev.weir.internal.Rejections;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.temporal.TemporalAdjusters;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A window of the calendar, which begins at midnight, on Monday, on the first of the month or on a
 * billing day, in a time zone, with its days of 23 and 25 hours. Safe for use by any number of
 * threads.
 */
public final class CalendarWindow {

  /** The unit of the calendar that a window spans. */
  public enum Unit {
    /** From midnight to midnight. */
    DAY(Duration.ofDays(1)),
    /** From Monday to Monday. */
    WEEK(Duration.ofDays(7)),
    /** From the first of a month, or the billing day, to the next. */
    MONTH(Duration.ofDays(31)),
    /** From the first of January to the next. */
    YEAR(Duration.ofDays(366));

    private final Duration longest;

    Unit(Duration longest) {
      this.longest = longest;
    }
  }

  private final Unit unit;
  private final ZoneId zone;
  private final int billingDay;

  /** Caches the last window computed, which is nearly always the next one needed. */
  private volatile Span span = new Span(0, 0);

  private record Span(long startMicros, long endMicros) {
    boolean contains(long micros) {
      return startMicros <= micros && micros < endMicros;
    }
  }

  private CalendarWindow(Unit unit, ZoneId zone, int billingDay) {
    this.unit = Objects.requireNonNull(unit, "unit");
    this.zone = Objects.requireNonNull(zone, "zone");
    this.billingDay = billingDay;
  }

  /** Windows of this unit in a time zone. */
  public static CalendarWindow of(Unit unit, ZoneId zone) {
    return new CalendarWindow(unit, zone, 1);
  }

  /**
   * Months that begin on {@code billingDay}, or on the last day of a month that is shorter.
   *
   * @throws IllegalArgumentException if the day is not between 1 and 31
   */
  public static CalendarWindow billingMonth(int billingDay, ZoneId zone) {
    Rejections.between("billing day", billingDay, 1, 31);
    return new CalendarWindow(Unit.MONTH, zone, billingDay);
  }

  /** The unit as text: {@code day}, {@code week}, {@code month} or {@code year}. */
  public String unit() {
    return unit.name().toLowerCase(Locale.ROOT);
  }

  /** The nominal length: no window is longer, except by the hour that a clock is set back. */
  public Duration length() {
    return unit.longest;
  }

  /** The start of the window that contains {@code micros}. */
  public long startMicros(long micros) {
    return span(micros).startMicros;
  }

  /** The end of the window that contains {@code micros}, where the next one begins. */
  public long endMicros(long micros) {
    return span(micros).endMicros;
  }

  private Span span(long micros) {
    Span last = span;
    if (last.contains(micros)) {
      return last;
    }
    Instant instant = Instant.ofEpochSecond(Math.floorDiv(micros, 1_000_000));
    LocalDate first = first(instant.atZone(zone).toLocalDate());
    // A clock that is set back over midnight shows the previous day again, which has ended, though.
    while (micros(next(first)) <= micros) {
      first = next(first);
    }
    Span current = new Span(micros(first), micros(next(first)));
    span = current;
    return current;
  }

  private LocalDate first(LocalDate day) {
    return switch (unit) {
      case DAY -> day;
      case WEEK -> day.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY));
      case MONTH -> {
        LocalDate billingDate = billingDate(YearMonth.from(day));
        yield day.isBefore(billingDate)
            ? billingDate(YearMonth.from(day).minusMonths(1))
            : billingDate;
      }
      case YEAR -> day.withDayOfYear(1);
    };
  }

  private LocalDate next(LocalDate first) {
    return switch (unit) {
      case DAY -> first.plusDays(1);
      case WEEK -> first.plusWeeks(1);
      case MONTH -> billingDate(YearMonth.from(first).plusMonths(1));
      case YEAR -> first.plusYears(1);
    };
  }

  private LocalDate billingDate(YearMonth month) {
    return month.atDay(Math.min(billingDay, month.lengthOfMonth()));
  }

  private long micros(LocalDate day) {
    return day.atStartOfDay(zone).toEpochSecond() * 1_000_000;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof CalendarWindow that
        && unit == that.unit
        && zone.equals(that.zone)
        && billingDay == that.billingDay;
  }

  @Override
  public int hashCode() {
    return Objects.hash(unit.name(), zone, billingDay);
  }

  @Override
  public String toString() {
    String from = billingDay == 1 ? "" : " from day " + billingDay;
    return unit() + from + " in " + zone;
  }
}
