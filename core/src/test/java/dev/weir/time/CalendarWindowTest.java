package dev.weir.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.memory.MemoryStore;
import dev.weir.time.CalendarWindow.Unit;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CalendarWindowTest {
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  private static long micros(String time) {
    return Instant.parse(time).getEpochSecond() * 1_000_000;
  }

  @ParameterizedTest
  @CsvSource({
    // unit, at, start, end; Berlin is one hour ahead in winter, two in summer
    "DAY, 2026-01-15T22:59:59Z, 2026-01-14T23:00:00Z, 2026-01-15T23:00:00Z",
    "DAY, 2026-01-15T23:00:00Z, 2026-01-15T23:00:00Z, 2026-01-16T23:00:00Z",
    "DAY, 2026-03-29T12:00:00Z, 2026-03-28T23:00:00Z, 2026-03-29T22:00:00Z",
    "DAY, 2026-10-25T00:30:00Z, 2026-10-24T22:00:00Z, 2026-10-25T23:00:00Z",
    "WEEK, 2026-11-15T12:00:00Z, 2026-11-08T23:00:00Z, 2026-11-15T23:00:00Z",
    "MONTH, 2024-02-29T12:00:00Z, 2024-01-31T23:00:00Z, 2024-02-29T23:00:00Z",
    "MONTH, 2026-12-31T22:59:59Z, 2026-11-30T23:00:00Z, 2026-12-31T23:00:00Z",
    "YEAR, 2026-07-01T00:00:00Z, 2025-12-31T23:00:00Z, 2026-12-31T23:00:00Z",
  })
  void windowsFollowTheCalendarOfTheirZone(Unit unit, String at, String start, String end) {
    CalendarWindow window = CalendarWindow.of(unit, BERLIN);
    assertThat(window.startMicros(micros(at))).isEqualTo(micros(start));
    assertThat(window.endMicros(micros(at))).isEqualTo(micros(end));
  }

  @ParameterizedTest
  @CsvSource({
    "15, 2026-11-14T12:00:00Z, 2026-10-15T00:00:00Z, 2026-11-15T00:00:00Z",
    "15, 2026-11-15T00:00:00Z, 2026-11-15T00:00:00Z, 2026-12-15T00:00:00Z",
    "31, 2026-02-27T23:59:59Z, 2026-01-31T00:00:00Z, 2026-02-28T00:00:00Z",
    "31, 2026-03-15T00:00:00Z, 2026-02-28T00:00:00Z, 2026-03-31T00:00:00Z",
    "31, 2026-04-30T00:00:00Z, 2026-04-30T00:00:00Z, 2026-05-31T00:00:00Z",
  })
  void monthsBeginOnTheBillingDayOrTheLastDayOfTheMonth(
      int day, String at, String start, String end) {
    CalendarWindow window = CalendarWindow.billingMonth(day, ZoneId.of("UTC"));
    assertThat(window.startMicros(micros(at))).isEqualTo(micros(start));
    assertThat(window.endMicros(micros(at))).isEqualTo(micros(end));
  }

  @Test
  void windowsFollowEachOtherWithoutAGapForYears() {
    for (String zone : new String[] {"Europe/Berlin", "Pacific/Apia", "America/Havana", "UTC"}) {
      for (Unit unit : Unit.values()) {
        CalendarWindow window = CalendarWindow.of(unit, ZoneId.of(zone));
        long at = micros("2009-12-30T12:00:00Z");
        long end = micros("2030-01-01T00:00:00Z");
        while (at < end) {
          long next = window.endMicros(at);
          assertThat(next).isGreaterThan(at);
          assertThat(window.startMicros(next)).isEqualTo(next);
          assertThat(window.startMicros(next - 1)).isEqualTo(window.startMicros(at));
          at = next;
        }
      }
    }
  }

  @Test
  void aDailyLimitResetsAtMidnightInItsZone() {
    long[] now = {micros("2026-03-28T22:59:59Z")};
    Limit limit = Limit.fixedWindow(2, CalendarWindow.of(Unit.DAY, BERLIN));
    MemoryStore store = new MemoryStore(100, () -> now[0]);
    Claim claim = Claim.of(limit, new LimitKey(1, 1), 2);
    assertThat(store.take(claim).allowed()).isTrue();
    Decision denied = store.take(claim);
    assertThat(denied.allowed()).isFalse();
    assertThat(denied.retryAfter()).contains(Duration.ofSeconds(1));
    now[0] += 1_000_000;
    assertThat(store.take(claim).allowed()).isTrue();
    // The day on which the clocks are put forward has 23 hours.
    assertThat(store.take(claim).retryAfter()).contains(Duration.ofHours(23));
  }

  @Test
  void aChangeOfZoneKeepsWhatWasSpent() {
    long now = ZonedDateTime.of(2026, 5, 5, 12, 0, 0, 0, BERLIN).toEpochSecond() * 1_000_000;
    MemoryStore store = new MemoryStore(100, () -> now);
    LimitKey key = new LimitKey(1, 1);
    Limit berlin = Limit.fixedWindow(10, CalendarWindow.of(Unit.DAY, BERLIN));
    Limit utc = Limit.fixedWindow(10, CalendarWindow.of(Unit.DAY, ZoneId.of("UTC")));
    store.take(new Claim(berlin, key, 7, 0));
    assertThat(berlin.countsLike(utc)).isFalse();
    assertThat(store.take(new Claim(utc, key, 1, 0)).remaining()).isEqualTo(2);
  }

  @Test
  void aBillingDayThatNoMonthHasIsRejected() {
    assertThatThrownBy(() -> CalendarWindow.billingMonth(32, BERLIN))
        .hasMessage("billing day: 32 (expected: between 1 and 31)");
    assertThatThrownBy(() -> CalendarWindow.billingMonth(0, BERLIN))
        .hasMessage("billing day: 0 (expected: between 1 and 31)");
  }

  /** In St. John's clocks were once set back at a minute past midnight, to the day before. */
  @Test
  void aDayThatHasEndedDoesNotStartAgain() {
    CalendarWindow day = CalendarWindow.of(CalendarWindow.Unit.DAY, ZoneId.of("America/St_Johns"));
    long midnight = Instant.parse("2003-10-26T02:30:00Z").getEpochSecond() * 1_000_000;
    long again = midnight + 30L * 60 * 1_000_000; // 23:30 on the day before, for the second time
    assertThat(day.startMicros(midnight)).isEqualTo(midnight);
    assertThat(day.startMicros(again)).isEqualTo(midnight);
    assertThat(day.endMicros(again)).isEqualTo(midnight + 25L * 3_600 * 1_000_000);
    assertThat(day.endMicros(midnight - 1)).isEqualTo(midnight);
  }
}
