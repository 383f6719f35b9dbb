package dev.weir.server;

import static dev.weir.server.store.LeasedFleet.SERVERS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limit;
import dev.weir.server.store.LeasedFleet;
import dev.weir.server.store.OneServer;
import dev.weir.testkit.Effort;
import dev.weir.testkit.redis.Await;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A caller that stays within its limit, of which four servers hold leases from a real Redis: it is
 * denied at most the leases of servers that it does not call, and not for long.
 */
@Timeout(300)
class PoliteCallerTest {
  /** By then all unused leases are returned; a busy machine may take longer. */
  private static final Duration BACK = Duration.ofSeconds(Effort.of(60, 3));

  /** Its rate through all servers, then a full burst, then its rate again. */
  @Test
  void callerWithinItsRateIsDeniedAtMostWhatOtherServersLease() {
    int rate = 100;
    int burst = 1_000;
    Limit limit = Limit.tokenBucket(rate, Duration.ofSeconds(1), burst);
    try (LeasedFleet fleet = new LeasedFleet(limit)) {
      FixedRate pace = new FixedRate(rate);
      long before = 0;
      for (int i = 0; i < 2 * rate; i++) {
        pace.next();
        before += fleet.ask(i % SERVERS) ? 0 : 1;
      }
      long atOnce = 0;
      for (int i = 0; i < burst; i++) {
        atOnce += fleet.ask(0) ? 0 : 1;
      }
      FixedRate again = new FixedRate(rate);
      long after = 0;
      for (int i = 0; i < 2 * rate; i++) {
        again.next();
        after += fleet.ask(i / 25 % SERVERS) ? 0 : 1; // one server for a while, then another
      }
      System.out.printf(
          "polite: denied %d at its rate, %d at once, %d after that; servers may hold %d%n",
          before, atOnce, after, fleet.mayHold);
      assertThat(fleet.leased()).as("on leases").isPositive();
      assertThat(before).as("denied at its rate").isZero();
      assertThat(atOnce + after).as("denied").isLessThanOrEqualTo(fleet.mayHold);
    }
  }

  @Test
  void callerOfOneServerIsDeniedOtherServersLeasesUntilTheyReturn() {
    int permits = 4_000;
    int light = 200;
    try (LeasedFleet fleet = new LeasedFleet(Limit.fixedWindow(permits, Duration.ofDays(3_000)))) {
      for (int i = 0; i < light * SERVERS; i++) {
        assertThat(fleet.ask(i % SERVERS)).isTrue();
      }
      int denied = 0;
      for (int i = light * SERVERS; i < permits; i++) {
        denied += fleet.ask(0) ? 0 : 1;
      }
      List<OneServer> others = fleet.servers.subList(1, SERVERS);
      long held = others.stream().mapToLong(OneServer::held).sum();
      System.out.printf("polite: denied %d of %d, others hold %d%n", denied, permits, held);
      assertThat((long) denied)
          .isGreaterThanOrEqualTo(held)
          .isLessThanOrEqualTo(fleet.mayHold / SERVERS * (SERVERS - 1));
      Await.until("all is back", BACK, () -> others.stream().allMatch(one -> one.held() == 0));
      SteadyLoad.rest(Duration.ofSeconds(1)); // until no denial is cached
      for (int i = 0; i < denied; i++) {
        assertThat(fleet.ask(0)).as("what was denied passes now").isTrue();
      }
      assertThat(fleet.counted()).isEqualTo(permits);
      assertThat(fleet.ask(0)).isFalse();
    }
  }
}
