package dev.weir.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limit;
import dev.weir.shared.fleet.Fleet.Position;
import dev.weir.shared.fleet.LimitScaler;
import dev.weir.time.CalendarWindow;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LimitScalerTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  static Stream<Limit> limits() {
    return Stream.of(
        Limit.tokenBucket(1_000, MINUTE, 70),
        Limit.leakyBucket(10, MINUTE, 41),
        Limit.fixedWindow(1_003, MINUTE),
        Limit.slidingLog(31, MINUTE),
        Limit.slidingCounter(999, MINUTE),
        Limit.concurrent(29, MINUTE),
        Limit.fixedWindow(Limit.MAX_CAPACITY_UNITS, MINUTE),
        Limit.tokenBucket(1, Limit.MAX_WINDOW, 9));
  }

  @ParameterizedTest
  @MethodSource("limits")
  void thePartsOfAllServersAddUpToTheLimit(Limit limit) {
    for (int size : new int[] {1, 2, 3, 7, 9}) {
      int servers = size;
      long sum =
          IntStream.range(0, size)
              .mapToLong(rank -> LimitScaler.of(limit, new Position(rank, servers)).capacity())
              .sum();
      assertThat(sum).as(limit + " among " + size).isEqualTo(limit.capacity());
    }
  }

  @ParameterizedTest
  @MethodSource("limits")
  void everyServerGetsAtLeastOnePermit(Limit limit) {
    for (int rank : new int[] {0, 500, 9_999}) {
      Limit part = LimitScaler.of(limit, new Position(rank, 10_000));
      assertThat(part.capacity()).isPositive();
      assertThat(part.algorithm()).isEqualTo(limit.algorithm());
    }
  }

  @Test
  void aRateIsDividedExactly() {
    Limit part = LimitScaler.of(Limit.tokenBucket(5, MINUTE, 10), new Position(3, 4));
    assertThat(part).isEqualTo(Limit.tokenBucket(5, Duration.ofMinutes(4), 2));
    assertThat(LimitScaler.of(Limit.tokenBucket(100, MINUTE, 10), 2_500))
        .isEqualTo(Limit.tokenBucket(25, MINUTE, 2));
    assertThat(LimitScaler.of(Limit.tokenBucket(10, MINUTE, 10), 3_000))
        .isEqualTo(Limit.tokenBucket(3, MINUTE, 3));
    assertThat(LimitScaler.of(Limit.tokenBucket(10, MINUTE, 10), 10_000))
        .isEqualTo(Limit.tokenBucket(10, MINUTE, 10));
  }

  @Test
  void aRateTooFineToCountIsDividedIntoWholePermits() {
    Limit part = LimitScaler.of(Limit.tokenBucket(10, Limit.MAX_WINDOW, 10), new Position(0, 5));
    assertThat(part).isEqualTo(Limit.tokenBucket(2, Limit.MAX_WINDOW, 2));
  }

  @Test
  void windowsStayUnchanged() {
    Limit limit =
        Limit.fixedWindow(10, CalendarWindow.of(CalendarWindow.Unit.MONTH, ZoneOffset.UTC));
    assertThat(LimitScaler.of(limit, new Position(0, 2)).calendar()).isEqualTo(limit.calendar());
    assertThat(LimitScaler.of(Limit.fixedWindow(10, MINUTE), 5_000).window()).isEqualTo(MINUTE);
  }

  @Test
  void theCostOfARequestFitsIntoThePart() {
    Limit part = LimitScaler.of(Limit.tokenBucket(100, MINUTE).withCost(60), new Position(0, 4));
    assertThat(part.cost()).isEqualTo(25);
  }
}
