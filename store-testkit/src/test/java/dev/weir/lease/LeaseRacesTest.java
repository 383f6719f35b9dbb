package dev.weir.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.Mode;
import dev.weir.guard.Fleet;
import dev.weir.guard.SystemTimers;
import dev.weir.guard.Timers;
import dev.weir.memory.MemoryStore;
import dev.weir.operation.Operation;
import dev.weir.operation.UniformStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Timeout;

/** Many threads at once on leases that come and go: no permit is lost sight of, or there twice. */
@Timeout(300)
class LeaseRacesTest {
  private static final int THREADS = 4;
  private static final int KEYS = 3;
  private static final Duration LASTING = Duration.ofMillis(700);
  private static final Limit MANY = Limit.fixedWindow(1_000_000_000, Duration.ofDays(3_000));

  /** Half of what is asked beside a lease is denied, so that the lease gets its permit back. */
  private static final Limit NONE = Limit.fixedWindow(1, Duration.ofDays(3_000));

  private final MemoryStore shared = new MemoryStore();
  private final ExecutorService far = Executors.newFixedThreadPool(2);
  private final ExecutorService callers = Executors.newFixedThreadPool(THREADS);
  private final SystemTimers timers = Timers.system();
  private final ByMode store = new ByMode(new Far(), new MemoryStore(), Fleet.alone(), timers);
  private final LongAdder granted = new LongAdder();

  /** Answers come on other threads. */
  private final class Far extends UniformStore {
    @Override
    protected Answer ask(Operation operation, List<Claim> claims) {
      return Answer.later(
          CompletableFuture.supplyAsync(() -> operation.on(shared, claims).join(), far));
    }
  }

  private static Claim leased(int key) {
    return new Claim(MANY, new LimitKey(1, key), 1, 0, Mode.leased());
  }

  private void call(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    long end = System.nanoTime() + LASTING.toNanos();
    Claim denied = new Claim(NONE, new LimitKey(2, seed), 1, 0, Mode.STRICT);
    while (System.nanoTime() - end < 0) {
      int key = random.nextInt(KEYS);
      boolean alone = random.nextInt(4) > 0;
      List<Claim> claims = alone ? List.of(leased(key)) : List.of(leased(key), denied);
      Decision decision = store.take(claims).join();
      granted.add(decision.allowed() ? 1 : 0);
      if (random.nextInt(2_000) == 0) {
        // Another share: the lease is given up, and begins anew.
        Mode other = new Mode(Mode.Kind.LEASED, 100 + random.nextInt(400));
        Claim changed = new Claim(MANY, leased(key).key(), 1, 0, other);
        granted.add(store.take(List.of(changed)).join().allowed() ? 1 : 0);
      }
      if (random.nextInt(20_000) == 0) {
        LockSupport.parkNanos(random.nextInt(200_000_000)); // so that some cool down
      }
    }
  }

  @RepeatedTest(3)
  void everyPermitIsSpentOrBackOrStranded() throws Exception {
    long seed = Long.getLong("weir.seed", System.nanoTime());
    List<Future<?>> all = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      long own = seed + i;
      all.add(callers.submit(() -> call(own)));
    }
    for (Future<?> one : all) {
      one.get(30, TimeUnit.SECONDS);
    }
    store.close().toCompletableFuture().get(10, TimeUnit.SECONDS);
    ByMode.Counts counts = store.counts();
    long used = 0;
    for (int key = 0; key < KEYS; key++) {
      used += MANY.capacity() - shared.look(List.of(leased(key).costing(0))).remaining();
    }
    timers.close();
    far.shutdown();
    callers.shutdown();
    String what = "-Dweir.seed=" + seed + ", " + counts + ", granted " + granted;
    assertThat(counts.granted()).as(what).isPositive();
    assertThat(counts.returned()).as(what).isPositive();
    assertThat(used).as(what).isEqualTo(granted.sum() + counts.stranded());
  }
}
