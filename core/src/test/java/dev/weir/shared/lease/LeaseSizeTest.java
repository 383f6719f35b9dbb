package dev.weir.shared.lease;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.Mode;
import dev.weir.async.Scheduler;
import dev.weir.memory.MemoryStore;
import dev.weir.shared.fleet.Fleet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How many permits a lease holds. */
final class LeaseSizeTest {
  private static final Limit LIMIT = Limit.tokenBucket(1_000_000, Duration.ofSeconds(1));

  private final Timeline timeline = new Timeline();
  private final ModeRoutingStore routing =
      new ModeRoutingStore(
          new MemoryStore(100, () -> timeline.nanos / 1_000),
          new MemoryStore(100, () -> timeline.nanos / 1_000),
          Fleet.alone(),
          timeline);

  /** A clock that the test advances. */
  private static final class Timeline implements Scheduler {
    private final List<Due> all = new ArrayList<>();
    private long nanos = Duration.ofHours(1).toNanos();

    private record Due(long nanos, Runnable work) {}

    @Override
    public long nanos() {
      return nanos;
    }

    @Override
    public void schedule(long later, Runnable work) {
      all.add(new Due(nanos + later, work));
    }

    void advance(Duration time) {
      nanos += time.toNanos();
      List<Due> due = all.stream().filter(one -> one.nanos <= nanos).toList();
      all.removeAll(due);
      due.forEach(one -> one.work.run());
    }
  }

  private void take(int times, Duration interval, long cost) {
    Claim claim = new Claim(LIMIT, new LimitKey(1, 2), cost, 0, Mode.leased());
    for (int i = 0; i < times; i++) {
      assertTrue(routing.take(List.of(claim)).join().allowed());
      timeline.advance(interval);
    }
  }

  private long held() {
    ModeRoutingStore.Counts counts = routing.counts();
    return counts.taken() - counts.granted() - counts.returned();
  }

  @Test
  void leaseHoldsAboutTheDemandOfASecond() {
    take(1_000, Duration.ofMillis(5), 1);
    assertTrue(held() > 20 && held() <= 200, () -> "held: " + held());
  }

  @Test
  void leaseGrowsUntilCallsToTheStoreAreRare() {
    take(20_000, Duration.ofNanos(50_000), 1);
    assertTrue(routing.counts().granted() > 19_990, () -> routing.counts().toString());
    assertTrue(held() > 2_000 && held() <= 20_000, () -> "held: " + held());
  }

  @Test
  void leaseShrinksWithDemand() {
    take(20_000, Duration.ofNanos(50_000), 1);
    take(30, Duration.ofMillis(200), 1);
    assertTrue(held() <= 40, () -> "held: " + held());
  }

  @Test
  void leaseHoldsPermitsForSeveralRequestsOfAnyCost() {
    take(200, Duration.ofMillis(5), 100);
    assertTrue(routing.counts().granted() > 190, () -> routing.counts().toString());
  }
}
