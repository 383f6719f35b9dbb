package dev.weir.shared.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.Mode;
import dev.weir.Operation;
import dev.weir.Store;
import dev.weir.async.Scheduler;
import dev.weir.async.SystemScheduler;
import dev.weir.memory.MemoryStore;
import dev.weir.shared.fleet.Fleet;
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

/** Many threads on leases that begin and end: no permit is lost, and none is spent twice. */
@Timeout(300)
class LeaseRacesTest {
  private static final int THREADS = 4;
  private static final int KEYS = 3;
  private static final Duration RUN_TIME = Duration.ofMillis(700);
  private static final Limit MANY = Limit.fixedWindow(1_000_000_000, Duration.ofDays(3_000));

  /** A limit that denies most requests beside a lease, so that the lease gets its permit back. */
  private static final Limit NONE = Limit.fixedWindow(1, Duration.ofDays(3_000));

  private final MemoryStore shared = new MemoryStore();
  private final ExecutorService remote = Executors.newFixedThreadPool(2);
  private final ExecutorService callers = Executors.newFixedThreadPool(THREADS);
  private final SystemScheduler scheduler = Scheduler.system();
  private final ModeRoutingStore store =
      new ModeRoutingStore(new AsyncStore(), new MemoryStore(), Fleet.alone(), scheduler);
  private final LongAdder granted = new LongAdder();

  /** Answers on other threads. */
  private final class AsyncStore implements Store {
    @Override
    public Answer apply(Operation operation, List<Claim> claims) {
      return Answer.later(
          CompletableFuture.supplyAsync(() -> shared.apply(operation, claims).join(), remote));
    }
  }

  private static Claim leased(int key) {
    return new Claim(MANY, new LimitKey(1, key), 1, 0, Mode.leased());
  }

  private void call(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    long end = System.nanoTime() + RUN_TIME.toNanos();
    Claim denied = new Claim(NONE, new LimitKey(2, seed), 1, 0, Mode.STRICT);
    while (System.nanoTime() - end < 0) {
      int key = random.nextInt(KEYS);
      boolean single = random.nextInt(4) > 0;
      List<Claim> claims = single ? List.of(leased(key)) : List.of(leased(key), denied);
      Decision decision = store.take(claims).join();
      granted.add(decision.allowed() ? 1 : 0);
      if (random.nextInt(2_000) == 0) {
        // Another share: the lease is dropped, and a new one begins.
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
  void everyPermitIsSpentOrReturnedOrStranded() throws Exception {
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
    ModeRoutingStore.Counts counts = store.counts();
    long used = 0;
    for (int key = 0; key < KEYS; key++) {
      used += MANY.capacity() - shared.peek(List.of(leased(key).withCost(0))).remaining();
    }
    scheduler.close();
    remote.shutdown();
    callers.shutdown();
    String what = "-Dweir.seed=" + seed + ", " + counts + ", granted " + granted;
    assertThat(counts.granted()).as(what).isPositive();
    assertThat(counts.returned()).as(what).isPositive();
    assertThat(used).as(what).isEqualTo(granted.sum() + counts.stranded());
  }
}
