package dev.weir.lease;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.Mode;
import dev.weir.guard.Fleet;
import dev.weir.guard.Timers;
import dev.weir.memory.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How much of a counter a server holds. */
final class LeaseSizeTest {
  private static final Limit LIMIT = Limit.tokenBucket(1_000_000, Duration.ofSeconds(1));

  private final Timeline timeline = new Timeline();
  private final ByMode byMode =
      new ByMode(
          new MemoryStore(100, () -> timeline.nanos / 1_000),
          new MemoryStore(100, () -> timeline.nanos / 1_000),
          Fleet.alone(),
          timeline);

  /** Time that passes when a test says so. */
  private static final class Timeline implements Timers {
    private final List<Due> all = new ArrayList<>();
    private long nanos = Duration.ofHours(1).toNanos();

    private record Due(long nanos, Runnable work) {}

    @Override
    public long nanos() {
      return nanos;
    }

    @Override
    public void after(long later, Runnable work) {
      all.add(new Due(nanos + later, work));
    }

    void pass(Duration time) {
      nanos += time.toNanos();
      List<Due> due = all.stream().filter(one -> one.nanos <= nanos).toList();
      all.removeAll(due);
      due.forEach(one -> one.work.run());
    }
  }

  private void ask(int times, Duration apart, long cost) {
    Claim claim = new Claim(LIMIT, new LimitKey(1, 2), cost, 0, Mode.leased());
    for (int i = 0; i < times; i++) {
      assertTrue(byMode.take(List.of(claim)).join().allowed());
      timeline.pass(apart);
    }
  }

  private long held() {
    ByMode.Counts counts = byMode.counts();
    return counts.taken() - counts.granted() - counts.returned();
  }

  @Test
  void itIsAboutWhatIsAskedForInASecond() {
    ask(1_000, Duration.ofMillis(5), 1);
    assertTrue(held() > 20 && held() <= 200, () -> "held: " + held());
  }

  @Test
  void itGrowsUntilTheStoreIsAskedSeldom() {
    ask(20_000, Duration.ofNanos(50_000), 1);
    assertTrue(byMode.counts().granted() > 19_990, () -> byMode.counts().toString());
    assertTrue(held() > 2_000 && held() <= 20_000, () -> "held: " + held());
  }

  @Test
  void itShrinksWithDemand() {
    ask(20_000, Duration.ofNanos(50_000), 1);
    ask(30, Duration.ofMillis(200), 1);
    assertTrue(held() <= 40, () -> "held: " + held());
  }

  @Test
  void itIsEnoughForSomeRequestsWhateverTheyCost() {
    ask(200, Duration.ofMillis(5), 100);
    assertTrue(byMode.counts().granted() > 190, () -> byMode.counts().toString());
  }
}
