package dev.weir.server;

import static dev.weir.server.store.LeasedFleet.SERVERS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limit;
import dev.weir.server.store.LeasedFleet;
import dev.weir.testkit.Effort;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Four servers lease one counter in a real Redis, and together enforce its limit. */
@Timeout(300)
class LeasedFleetTest {
  private static final Duration FOREVER = Duration.ofDays(3_000);

  private static final Duration BURST = Duration.ofMillis(300);

  /** One request of a server may be between its lease and its grant. */
  private static final int IN_FLIGHT = 1;

  @Test
  void windowGrantsExactlyItsPermits() {
    int permits = 50_000;
    try (LeasedFleet fleet = new LeasedFleet(Limit.fixedWindow(permits, FOREVER))) {
      long passed = 0;
      // Permits that servers return are granted in the end.
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
  void bucketGrantsAtMostItsRatePlusLeases() {
    int rate = 20_000;
    Limit limit = Limit.tokenBucket(rate, Duration.ofSeconds(1), rate);
    try (LeasedFleet fleet = new LeasedFleet(limit);
        MaxLeased held = new MaxLeased(fleet.servers)) {
      long start = System.nanoTime();
      GrantLog grants = fleet.flood(Duration.ofSeconds(Effort.of(2, 4)));
      double seconds = (System.nanoTime() - start) / 1e9;
      double max = rate + rate * seconds;
      System.out.printf(
          "leases: %d passed in %.2f s, the limit is %.0f, on leases %d, one server held %d%n",
          grants.size(), seconds, max, fleet.leased(), held.maximum());
      // How much of it is used depends on the request rate of the machine.
      double min = Effort.isThorough() ? max * 0.9 : 1;
      assertThat((double) grants.size()).isBetween(min, max + fleet.mayHold);
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

  /** Servers lease more the more requests they get, while the bucket fills up behind them. */
  @Test
  void burstGetsAtMostAFullBucketPlusLeases() {
    int rate = 4_000;
    Limit limit = Limit.tokenBucket(rate, Duration.ofSeconds(1), rate);
    try (LeasedFleet fleet = new LeasedFleet(limit);
        MaxLeased held = new MaxLeased(fleet.servers)) {
      List<GrantLog> all = new ArrayList<>();
      long max = 0;
      for (int i = 0; i < 3; i++) {
        SteadyLoad.rest(Duration.ofMillis(1_100)); // until the bucket is full
        all.add(fleet.trickle(rate / SERVERS * 8 / 10, Duration.ofMillis(400)));
        GrantLog burst = fleet.flood(BURST);
        max = Math.max(max, burst.mostIn(BURST));
        all.add(burst);
      }
      System.out.printf(
          "leases: %d at once of a bucket of %d, one server held %d%n", max, rate, held.maximum());
      if (Effort.isThorough()) {
        assertThat(max).as("all of the bucket").isGreaterThan(rate * 9 / 10);
      }
      assertHeld(held, fleet);
      assertBounded(GrantLog.together(all), rate, fleet);
    }
  }

  private static void assertHeld(MaxLeased held, LeasedFleet fleet) {
    assertThat(held.maximum())
        .as("held by one server")
        .isBetween(1L, fleet.mayHold / SERVERS + IN_FLIGHT);
  }

  private static void assertBounded(GrantLog grants, int rate, LeasedFleet fleet) {
    for (int millis : new int[] {1, 10, 100, 1_000, 2_000}) {
      assertThat(grants.mostIn(Duration.ofMillis(millis)))
          .as("in any " + millis + " ms")
          .isLessThanOrEqualTo(rate + rate * millis / 1_000 + fleet.mayHold);
    }
  }

  @Test
  void leasesAreReturnedWhenServersStop() {
    try (LeasedFleet fleet = new LeasedFleet(Limit.fixedWindow(1_000_000, FOREVER))) {
      long passed = fleet.flood(Duration.ofSeconds(1)).size();
      fleet.servers.forEach(server -> server.shared.close());
      assertThat(fleet.leased()).isPositive();
      assertThat(fleet.stranded()).isZero();
      assertThat(fleet.counted()).isEqualTo(passed);
    }
  }
}
