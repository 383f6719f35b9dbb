package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.gateway.HoldingUpstream.Held;
import dev.weir.gateway.HoldingUpstream.Offered;
import dev.weir.testkit.Effort;
import dev.weir.testkit.Seeds;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;
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

  /** Of ten requests, the number of each priority. */
  private static final int[] MIX = {1, 2, 3, 4};

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

  /** What became of the requests, by priority. */
  private static final class Tally {
    final int[] offered = new int[MIX.length];
    final int[] passed = new int[MIX.length];
    final int[] shed = new int[MIX.length];

    /** The number of requests shed so far when the first of a priority was. */
    final int[] shedBefore = new int[MIX.length];

    void onShed(int priority) {
      if (shed[priority]++ == 0) {
        for (int other = priority + 1; other < MIX.length; other++) {
          shedBefore[priority] += shed[other];
        }
      }
    }

    double successPercent(int priority) {
      return 100.0 * passed[priority] / offered[priority];
    }
  }

  @Test
  void lowPrioritiesGiveWayInOrderAtThreeTimesTheCapacity() {
    Seeds.run(random -> check(run(random, Effort.of(1_000, 30_000))));
  }

  private static Tally run(SplittableRandom random, int requests) throws Exception {
    Tally tally = new Tally();
    try (HoldingUpstream service = new HoldingUpstream();
        TestGateway gateway = TestGateway.to(RULES, service.url())) {
      Deque<Integer> priorities = new ArrayDeque<>();
      Deque<Held> inFlight = new ArrayDeque<>();
      for (int i = 1; i <= requests; i++) {
        int priority = priority(random.nextInt(10));
        tally.offered[priority]++;
        Offered offered = service.offer(gateway, request(gateway, priority));
        if (offered.isHeld()) {
          priorities.add(priority);
          inFlight.add(offered.held().orElseThrow());
        } else {
          assertThat(offered.status()).isEqualTo(503);
          tally.onShed(priority);
        }
        if (i % OVERLOAD == 0 && !inFlight.isEmpty()) {
          finishOldest(inFlight, priorities, tally);
        }
      }
      while (!inFlight.isEmpty()) {
        finishOldest(inFlight, priorities, tally);
      }
    }
    return tally;
  }

  private static void finishOldest(Deque<Held> inFlight, Deque<Integer> priorities, Tally tally)
      throws Exception {
    assertThat(inFlight.remove().finish().statusCode()).isEqualTo(200);
    tally.passed[priorities.remove()]++;
  }

  private static int priority(int ofTen) {
    int priority = 0;
    for (int below = MIX[0]; ofTen >= below; below += MIX[priority]) {
      priority++;
    }
    return priority;
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
    for (int priority = 1; priority < MIX.length; priority++) {
      assertThat(tally.shed[priority] + tally.passed[priority])
          .as("P%d: each request passed or was shed", priority)
          .isEqualTo(tally.offered[priority]);
      assertThat(tally.shed[priority]).as("P%d gives way", priority).isPositive();
      assertThat(tally.successPercent(priority))
          .as("P%d succeeds less often than P%d", priority, priority - 1)
          .isLessThan(tally.successPercent(priority - 1));
    }
    assertThat(tally.shedBefore[2]).as("P3 was shed before any P2").isPositive();
    assertThat(tally.shedBefore[1]).as("P3 and P2 were shed before any P1").isPositive();
    // P0 and P1 need 90 % of the capacity, so that nearly nothing is left for the others.
    assertThat(tally.successPercent(1)).as("P1 success").isGreaterThan(75);
    assertThat(tally.successPercent(3)).as("P3 success").isLessThan(25);
  }
}
