package dev.weir.load.arrival;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class OpenLoopTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  @Test
  void constantArrivalsAreEquallyFarApart() {
    assertThat(all(OpenLoop.constant(4, SECOND + 1)))
        .containsExactly(250_000_000L, 500_000_000L, 750_000_000L, 1_000_000_000L);
  }

  @Test
  void poissonArrivalsHaveTheRateAndTheVarianceOfIndependentClients() {
    int seconds = 200;
    List<Long> due = all(OpenLoop.poisson(100, seconds * SECOND, new SplittableRandom(1)));
    assertThat((double) due.size()).isCloseTo(20_000, within(500.0));
    long[] counts = new long[seconds];
    due.forEach(nanos -> counts[(int) (nanos / SECOND)]++);
    double variance = 0;
    for (long count : counts) {
      variance += (count - 100.0) * (count - 100.0) / seconds;
    }
    assertThat(variance).as("the variance of a Poisson count is its mean").isBetween(70.0, 140.0);
    assertThat(due).isSorted();
  }

  @Test
  void sameSeedGivesTheSameSchedule() {
    assertThat(all(OpenLoop.poisson(50, SECOND, new SplittableRandom(7))))
        .isEqualTo(all(OpenLoop.poisson(50, SECOND, new SplittableRandom(7))))
        .isNotEqualTo(all(OpenLoop.poisson(50, SECOND, new SplittableRandom(8))));
  }

  @Test
  void completionsDoNotMoveTheSchedule() {
    Pace pace = OpenLoop.constant(10, SECOND);
    pace.onComplete(5 * SECOND);
    assertThat(pace.take()).isEqualTo(100_000_000);
    assertThat(pace.take()).isEqualTo(200_000_000);
  }

  @Test
  void rateBelowOneIsRefused() {
    assertThatThrownBy(() -> OpenLoop.constant(0, SECOND))
        .hasMessage("rate: 0 (expected: at least 1)");
  }

  private static List<Long> all(Pace pace) {
    List<Long> due = new ArrayList<>();
    while (pace.nextDueNanos() != Pace.NEVER) {
      due.add(pace.take());
    }
    return due;
  }
}
