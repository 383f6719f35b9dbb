package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.gateway.HoldingUpstream.Held;
import dev.weir.gateway.HoldingUpstream.Offered;
import dev.weir.testkit.Effort;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Requests of all priorities at three times the capacity: for each request that the service
 * finishes, three arrive. The test finishes them itself, oldest first, so that the load is the same
 * on any machine.
 */
@Timeout(600)
class PriorityTest {
  private static final int CAPACITY = 30;
  private static final int OVERLOAD = 3;
  private static final int PRIORITIES = 4;

  /** By priority, the requests in flight from which on it is shed: 90, 80 and 70 %. */
  private static final int[] SHED_FROM = {Integer.MAX_VALUE, 27, 24, 21};

  /** 5 % of the capacity, by which the load must fall before a priority is admitted again. */
  private static final int HYSTERESIS = 2;

  private static final String RULES =
      """
      rules: [{name: all, limit: 1000000/second}]
      shedding:
        capacity: %d
        queue-delay: none
        priorities:
          - {match: {path: /checkout}, priority: 0}
          - {match: {header: {X-Test: "*"}}, priority: 3}
      """
          .formatted(CAPACITY);

  /** A request that the service holds. */
  private record InFlight(int priority, Held held) {}

  /** What became of the requests, by priority. */
  private static final class Tally {
    final int[] offered = new int[PRIORITIES];
    final int[] passed = new int[PRIORITIES];
    final int[] shed = new int[PRIORITIES];

    /** How many of the next lower priority were shed before the first of a priority was. */
    final int[] lowerShedBefore = new int[PRIORITIES];

    void onShed(int priority) {
      if (shed[priority]++ == 0 && priority + 1 < PRIORITIES) {
        lowerShedBefore[priority] = shed[priority + 1];
      }
    }

    double successPercent(int priority) {
      return 100.0 * passed[priority] / offered[priority];
    }
  }

  /** P0 and P1 need 60 % of the capacity, and P2 another 90 %: it gets what is left of it. */
  @Test
  void lowestPriorityGivesWayThenTheNext() throws Exception {
    Tally tally = run(3, 2, 3, 1, 3, 2, 3, 0, 3, 2);
    check(tally);
    assertThat(tally.successPercent(1)).as("P1 success").isGreaterThan(95);
    assertThat(tally.successPercent(2)).as("P2 success").isBetween(25.0, 65.0);
    assertThat(tally.successPercent(3)).as("P3 success").isLessThan(10);
    assertThat(tally.lowerShedBefore[2]).as("P3 shed before any P2").isPositive();
  }

  /**
   * P0 needs 60 % of the capacity, and P1 another 90 %: it gets what is left, and others nothing.
   */
  @Test
  void highPriorityGivesWayLast() throws Exception {
    Tally tally = run(1, 3, 2, 0, 1, 2, 3, 1, 0, 2);
    check(tally);
    assertThat(tally.successPercent(1)).as("P1 success").isBetween(25.0, 65.0);
    assertThat(tally.successPercent(2)).as("P2 success").isLessThan(10);
    assertThat(tally.successPercent(3)).as("P3 success").isLessThan(10);
    assertThat(tally.lowerShedBefore[2]).as("P3 shed before any P2").isPositive();
    assertThat(tally.lowerShedBefore[1]).as("P2 shed before any P1").isPositive();
  }

  /**
   * @param mix the priorities of requests, over and over
   */
  private static Tally run(int... mix) throws Exception {
    Tally tally = new Tally();
    try (HoldingUpstream service = new HoldingUpstream();
        TestGateway gateway = TestGateway.to(RULES, service.url())) {
      Deque<InFlight> inFlight = new ArrayDeque<>();
      for (int i = 0; i < Effort.of(1_000, 30_000); i++) {
        offer(mix[i % mix.length], service, gateway, inFlight, tally);
        if (i % OVERLOAD == OVERLOAD - 1) {
          finishOldest(inFlight, tally);
        }
      }
      while (!inFlight.isEmpty()) {
        finishOldest(inFlight, tally);
      }
    }
    return tally;
  }

  private static void offer(
      int priority,
      HoldingUpstream service,
      TestGateway gateway,
      Deque<InFlight> inFlight,
      Tally tally)
      throws Exception {
    tally.offered[priority]++;
    Offered offered = service.offer(gateway, request(gateway, priority));
    if (offered.isHeld()) {
      assertThat(inFlight.size()).as("P%d passes", priority).isLessThan(SHED_FROM[priority]);
      inFlight.add(new InFlight(priority, offered.held().orElseThrow()));
    } else {
      assertThat(offered.status()).isEqualTo(503);
      // The gateway may count one more, whose response it has just sent.
      assertThat(inFlight.size() + 1)
          .as("P%d is shed", priority)
          .isGreaterThanOrEqualTo(SHED_FROM[priority] - HYSTERESIS);
      tally.onShed(priority);
    }
  }

  private static void finishOldest(Deque<InFlight> inFlight, Tally tally) throws Exception {
    InFlight oldest = inFlight.remove();
    assertThat(oldest.held().finish().statusCode()).isEqualTo(200);
    tally.passed[oldest.priority()]++;
  }

  private static HttpRequest.Builder request(TestGateway gateway, int priority) {
    return switch (priority) {
      case 0 -> gateway.request("/checkout");
      case 1 -> gateway.request("/orders").POST(BodyPublishers.ofString("{}"));
      case 2 -> gateway.request("/orders");
      default -> gateway.request("/orders").header("X-Test", "1");
    };
  }

  private static void check(Tally tally) {
    assertThat(tally.shed[0]).as("P0 shed").isZero();
    assertThat(tally.successPercent(0)).as("P0 success").isGreaterThanOrEqualTo(99.9);
    for (int priority = 1; priority < PRIORITIES; priority++) {
      assertThat(tally.shed[priority] + tally.passed[priority])
          .as("P%d: each request passed or was shed", priority)
          .isEqualTo(tally.offered[priority]);
      assertThat(tally.successPercent(priority))
          .as("P%d succeeds no more often than P%d", priority, priority - 1)
          .isLessThanOrEqualTo(tally.successPercent(priority - 1));
    }
  }
}
