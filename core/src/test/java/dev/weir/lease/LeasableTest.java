package dev.weir.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.Mode;
import dev.weir.Mode.Kind;
import dev.weir.guard.Fleet;
import dev.weir.guard.Timers;
import dev.weir.memory.MemoryStore;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is said of a limit, that it is counted strictly, is what becomes of it. */
class LeasableTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final LimitKey KEY = new LimitKey(1, 2);

  /** Time that stands still unless somebody moves it; nothing is due in it. */
  private static final class Still implements Timers {
    private long micros = 1_000_000;

    @Override
    public long nanos() {
      return micros * 1_000;
    }

    @Override
    public void after(long nanos, Runnable work) {}
  }

  /** Whether a server that is alone, and asked again while everything is left, begins a lease. */
  private static boolean isLeased(Mode mode, Limit limit, long cost) {
    Still time = new Still();
    MemoryStore store = new MemoryStore(1_000, () -> time.micros);
    ByMode byMode = new ByMode(store, new MemoryStore(), Fleet.alone(), time);
    for (int i = 0; i < 3; i++) {
      assertThat(byMode.take(List.of(new Claim(limit, KEY, cost, 0, mode))).join().allowed())
          .isTrue();
      time.micros += 10_000;
    }
    return byMode.isLeased(KEY);
  }

  @Test
  void aLimitIsLeasedUnlessThereIsAnObjection() {
    int leased = 0;
    int shares = 0;
    for (int share : new int[] {1, 500, 999, 1_000, 2_500, 4_900, 4_999, 5_000, 9_999, 10_000}) {
      for (int capacity = 1; capacity <= 400; capacity++) {
        Mode mode = new Mode(Kind.LEASED, share);
        Limit limit = Limit.tokenBucket(1_000_000, SECOND, capacity);
        boolean isLeased = isLeased(mode, limit, 1);
        assertThat(Leasable.objection(mode, limit, 1, 1).isEmpty())
            .as(share + " of " + capacity)
            .isEqualTo(isLeased);
        leased += isLeased ? 1 : 0;
        shares++;
      }
    }
    assertThat(leased).isBetween(shares / 10, shares * 9 / 10);
  }

  @Test
  void noneIsTakenForRequestsThatCostMoreThanMayBeHeld() {
    Limit limit = Limit.tokenBucket(1_000_000, SECOND, 400);
    for (int cost = 1; cost <= 40; cost++) {
      assertThat(Leasable.objection(Mode.leased(), limit, cost, 1).isEmpty())
          .as("cost " + cost)
          .isEqualTo(cost <= 20)
          .isEqualTo(isLeased(Mode.leased(), limit, cost));
    }
  }

  @Test
  void theObjectionIsToldInNumbers() {
    Mode leased = Mode.leased();
    assertThat(Leasable.objection(leased, Limit.tokenBucket(39, SECOND), 1, 1))
        .contains("5% of 39 is less than 2");
    assertThat(Leasable.objection(leased, Limit.tokenBucket(40, SECOND), 3, 1))
        .contains("5% of 40 is less than 3");
    assertThat(Leasable.objection(leased, Limit.tokenBucket(40, SECOND), 2, 1)).isEmpty();
    assertThat(
            Leasable.objection(
                new Mode(Kind.AUTOMATIC, 5_050), Limit.tokenBucket(40, SECOND), 1, 1))
        .contains("leases begin while twice the share is left, and never is twice 50.5% of 40");
    assertThat(Leasable.objection(leased, Limit.leakyBucket(4_000, SECOND, 4_000), 1, 1))
        .contains("a place in a queue cannot be leased");
    assertThat(Leasable.objection(leased, Limit.concurrent(4_000, SECOND), 1, 1))
        .contains("a place in flight cannot be leased");
  }

  @Test
  void whatIsNotToBeLeasedMeetsNoObjection() {
    for (Mode mode : List.of(Mode.STRICT, Mode.local(), new Mode(Kind.LOCAL, 1))) {
      assertThat(Leasable.objection(mode, Limit.concurrent(1, SECOND), 1, 1)).isEmpty();
      assertThat(Leasable.objection(mode, Limit.tokenBucket(1, SECOND), 1, 1)).isEmpty();
    }
  }
}
