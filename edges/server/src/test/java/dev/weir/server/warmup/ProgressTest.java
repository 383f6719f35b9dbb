package dev.weir.server.warmup;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.function.IntToLongFunction;
import org.junit.jupiter.api.Test;

/** When a server counts as warm, by the duration of calls in each round. */
class ProgressTest {
  private static final int MANY = 1_000;

  /**
   * The number of rounds until it is warm; {@link #MANY} if never.
   *
   * @param slowestMillis the slowest call of a round
   * @param tripMillis the round trip to the store
   */
  private static int roundsUntilWarm(IntToLongFunction slowestMillis, double tripMillis) {
    Progress progress = new Progress(Duration.ofMillis(5));
    while (!progress.isWarm() && progress.rounds() < MANY) {
      long slowest = slowestMillis.applyAsLong(progress.rounds()) * 1_000_000;
      progress.add(slowest, (long) (tripMillis * 1_000_000));
    }
    return progress.rounds();
  }

  @Test
  void warmOnceCallsAreQuickInConsecutiveRounds() {
    assertThat(roundsUntilWarm(round -> 1, 0)).as("not before all has run often").isEqualTo(15);
    assertThat(roundsUntilWarm(round -> round < 40 ? 20 : 4, 0.2)).isEqualTo(44);
    assertThat(roundsUntilWarm(round -> round < 90 && round % 4 == 0 ? 9 : 4, 0)).isEqualTo(93);
  }

  @Test
  void notWarmWhileMachineIsBusy() {
    assertThat(roundsUntilWarm(round -> 8, 0.2)).isEqualTo(MANY);
    assertThat(roundsUntilWarm(round -> 8, 0)).isEqualTo(MANY);
  }

  @Test
  void storeRoundTripsDoNotCount() {
    assertThat(roundsUntilWarm(round -> 14, 5)).isEqualTo(15);
    assertThat(roundsUntilWarm(round -> 104, 50)).isEqualTo(15);
  }

  @Test
  void withDistantStoreWarmOnceCallsNoLongerGetQuicker() {
    assertThat(roundsUntilWarm(round -> round % 2 == 0 ? 11 : 31, 5)).isBetween(15, 20);
    assertThat(roundsUntilWarm(round -> Math.max(30, 400 - 20 * round), 5)).isBetween(19, 30);
  }
}
