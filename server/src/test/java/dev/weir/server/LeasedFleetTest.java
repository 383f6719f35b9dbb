package dev.weir.server;

import static dev.weir.server.LeasedFleet.SERVERS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limit;
import dev.weir.testkit.Effort;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Four servers lease one counter in a real Redis, and keep its limit together. */
@Timeout(300)
class LeasedFleetTest {
  private static final Duration FOR_EVER = Duration.ofDays(3_000);

  private static final Duration BURST = Duration.ofMillis(300);

  /** One request of a server may be on its way from what is held to what is spent. */
  private static final int ON_ITS_WAY = 1;

  @Test
  void aWindowGrantsWhatItHoldsAndNotOneMore() {
    int permits = 50_000;
    try (LeasedFleet fleet = new LeasedFleet(Limit.fixedWindow(permits, FOR_EVER))) {
      long passed = 0;
      // What servers give back is granted to somebody in the end.
      for (int i = 0; i < 200 && passed < permits; i++) {
        passed += fleet.flood(Duration.ofSeconds(1)).size();
      }
      passed += fleet.flood(Duration.ofSeconds(1)).size();
      System.out.printf("leases: %d of %d passed, %d on leases%n", passed, permits, fleet.leased());
      assertThat(passed).isEqualTo(permits);
      assertThat(fleet.leased()).as("on leases").isGreaterThan(permits / 2);
    }
  }

  @Test
  void aBucketGrantsNoMoreThanItsRateAndWhatServersHold() {
    int rate = 20_000;
    Limit limit = Limit.tokenBucket(rate, Duration.ofSeconds(1), rate);
    try (LeasedFleet fleet = new LeasedFleet(limit);
        MostHeld held = new MostHeld(fleet.servers)) {
      long start = System.nanoTime();
      Grants grants = fleet.flood(Duration.ofSeconds(Effort.of(2, 4)));
      double seconds = (System.nanoTime() - start) / 1e9;
      double most = rate + rate * seconds;
      System.out.printf(
          "leases: %d passed in %.2f s, the limit is %.0f, on leases %d, one server held %d%n",
          grants.size(), seconds, most, fleet.leased(), held.most());
      // How much of it is used depends on how fast the machine asks.
      double least = Effort.isThorough() ? most * 0.9 : 1;
      assertThat((double) grants.size()).isBetween(least, most + fleet.mayHold);
      assertThat(fleet.leased()).isPositive();
      assertHeld(held, fleet);
      assertBounded(grants, rate, fleet);
      if (Effort.isThorough()) {
        assertThat(grants.mostIn(Duration.ofSeconds(1)))
            .as("in some second, when the bucket was full")
            .isGreaterThan(rate + rate / 2);
      }
    }
  }

  /** Servers hold the more the more they are asked, while the bucket fills up behind them. */
  @Test
  void aBurstGetsNoMoreThanAFullBucketAndWhatServersHeldByThen() {
    int rate = 4_000;
    Limit limit = Limit.tokenBucket(rate, Duration.ofSeconds(1), rate);
    try (LeasedFleet fleet = new LeasedFleet(limit);
        MostHeld held = new MostHeld(fleet.servers)) {
      List<Grants> all = new ArrayList<>();
      long most = 0;
      for (int i = 0; i < 3; i++) {
        EvenLoad.rest(Duration.ofMillis(1_100)); // until the bucket is full
        all.add(fleet.trickle(rate / SERVERS * 8 / 10, Duration.ofMillis(400)));
        Grants burst = fleet.flood(BURST);
        most = Math.max(most, burst.mostIn(BURST));
        all.add(burst);
      }
      System.out.printf(
          "leases: %d at once of a bucket of %d, one server held %d%n", most, rate, held.most());
      if (Effort.isThorough()) {
        assertThat(most).as("all of the bucket").isGreaterThan(rate * 9 / 10);
      }
      assertHeld(held, fleet);
      assertBounded(Grants.together(all), rate, fleet);
    }
  }

  private static void assertHeld(MostHeld held, LeasedFleet fleet) {
    assertThat(held.most())
        .as("held by one server")
        .isBetween(1L, fleet.mayHold / SERVERS + ON_ITS_WAY);
  }

  private static void assertBounded(Grants grants, int rate, LeasedFleet fleet) {
    for (int millis : new int[] {1, 10, 100, 1_000, 2_000}) {
      assertThat(grants.mostIn(Duration.ofMillis(millis)))
          .as("in any " + millis + " ms")
          .isLessThanOrEqualTo(rate + rate * millis / 1_000 + fleet.mayHold);
    }
  }

  @Test
  void whatServersHoldIsGivenBackWhenTheyStop() {
    try (LeasedFleet fleet = new LeasedFleet(Limit.fixedWindow(1_000_000, FOR_EVER))) {
      long passed = fleet.flood(Duration.ofSeconds(1)).size();
      fleet.servers.forEach(server -> server.shared.close());
      assertThat(fleet.leased()).isPositive();
      assertThat(fleet.stranded()).isZero();
      assertThat(fleet.counted()).isEqualTo(passed);
    }
  }
}
