package dev.weir.shared.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.Mode;
import dev.weir.Mode.Kind;
import dev.weir.async.Scheduler;
import dev.weir.memory.MemoryStore;
import dev.weir.shared.fleet.Fleet;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The objections of the policy agree with what the store does. */
class LeasePolicyTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final LimitKey KEY = new LimitKey(1, 2);

  /** A clock that the test advances; timers never fire. */
  private static final class TestClock implements Scheduler {
    private long micros = 1_000_000;

    @Override
    public long nanos() {
      return micros * 1_000;
    }

    @Override
    public void schedule(long nanos, Runnable work) {}
  }

  /** Whether a single server begins a lease while nearly everything is left. */
  private static boolean isLeased(Mode mode, Limit limit, long cost) {
    TestClock time = new TestClock();
    MemoryStore store = new MemoryStore(1_000, () -> time.micros);
    ModeRoutingStore routing = new ModeRoutingStore(store, new MemoryStore(), Fleet.alone(), time);
    for (int i = 0; i < 3; i++) {
      assertThat(routing.take(List.of(new Claim(limit, KEY, cost, 0, mode))).join().allowed())
          .isTrue();
      time.micros += 10_000;
    }
    return routing.isLeased(KEY);
  }

  @Test
  void limitIsLeasedUnlessThereIsAnObjection() {
    int leased = 0;
    int shares = 0;
    for (int share : new int[] {1, 500, 999, 1_000, 2_500, 4_900, 4_999, 5_000, 9_999, 10_000}) {
      for (int capacity = 1; capacity <= 400; capacity++) {
        Mode mode = new Mode(Kind.LEASED, share);
        Limit limit = Limit.tokenBucket(1_000_000, SECOND, capacity);
        boolean isLeased = isLeased(mode, limit, 1);
        assertThat(LeasePolicy.objection(mode, limit, 1, 1).isEmpty())
            .as(share + " of " + capacity)
            .isEqualTo(isLeased);
        leased += isLeased ? 1 : 0;
        shares++;
      }
    }
    assertThat(leased).isBetween(shares / 10, shares * 9 / 10);
  }

  @Test
  void limitIsNotLeasedForRequestsThatCostMoreThanMayBeHeld() {
    Limit limit = Limit.tokenBucket(1_000_000, SECOND, 400);
    for (int cost = 1; cost <= 40; cost++) {
      assertThat(LeasePolicy.objection(Mode.leased(), limit, cost, 1).isEmpty())
          .as("cost " + cost)
          .isEqualTo(cost <= 20)
          .isEqualTo(isLeased(Mode.leased(), limit, cost));
    }
  }

  @Test
  void objectionNamesTheNumbers() {
    Mode leased = Mode.leased();
    assertThat(LeasePolicy.objection(leased, Limit.tokenBucket(39, SECOND), 1, 1))
        .contains("5% of 39 is less than 2");
    assertThat(LeasePolicy.objection(leased, Limit.tokenBucket(40, SECOND), 3, 1))
        .contains("5% of 40 is less than 3");
    assertThat(LeasePolicy.objection(leased, Limit.tokenBucket(40, SECOND), 2, 1)).isEmpty();
    assertThat(
            LeasePolicy.objection(
                new Mode(Kind.AUTOMATIC, 5_050), Limit.tokenBucket(40, SECOND), 1, 1))
        .contains("a lease needs twice its share left, and there is never twice 50.5% of 40");
    assertThat(LeasePolicy.objection(leased, Limit.leakyBucket(4_000, SECOND, 4_000), 1, 1))
        .contains("a place in a queue cannot be leased");
    assertThat(LeasePolicy.objection(leased, Limit.concurrent(4_000, SECOND), 1, 1))
        .contains("a place in flight cannot be leased");
  }

  @Test
  void modesWithoutLeasesHaveNoObjection() {
    for (Mode mode : List.of(Mode.STRICT, Mode.local(), new Mode(Kind.LOCAL, 1))) {
      assertThat(LeasePolicy.objection(mode, Limit.concurrent(1, SECOND), 1, 1)).isEmpty();
      assertThat(LeasePolicy.objection(mode, Limit.tokenBucket(1, SECOND), 1, 1)).isEmpty();
    }
  }
}
