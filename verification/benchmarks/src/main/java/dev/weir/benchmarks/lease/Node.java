package dev.weir.benchmarks.lease;

import dev.weir.async.Continuations;
import dev.weir.async.Scheduler;
import dev.weir.async.SystemScheduler;
import dev.weir.limiter.Limiter;
import dev.weir.memory.MemoryStore;
import dev.weir.redis.RedisStore;
import dev.weir.redis.connection.RedisSettings;
import dev.weir.shared.GuardSettings;
import dev.weir.shared.SharedStore;
import dev.weir.shared.SharedStoreListener;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * A server without its edges: the limiter and everything between it and Redis, wired as in a
 * server.
 *
 * <p>Only the deadlines are longer: full load on few cores is slower than 25 ms at times.
 */
final class Node implements SharedStoreListener, AutoCloseable {
  private static final Duration DEADLINE = Duration.ofSeconds(1);

  /** As in a server, the store's own deadline comes first. */
  private static final GuardSettings GUARD = GuardSettings.DEFAULT.asBackstopOf(DEADLINE);

  private static final Duration START_TIMEOUT = Duration.ofSeconds(30);
  private static final Duration CHECK_PERIOD = Duration.ofMillis(50);

  private final SystemScheduler scheduler = Scheduler.system(Continuations.DIRECT);
  private final Limiter embedded = new Limiter(new MemoryStore(), (rule, outcome, subject) -> {});
  private final RedisStore redis;
  private final SharedStore store;
  private final Limiter shared;
  private final LongAdder answers = new LongAdder();
  private final CompletableFuture<Void> fleetComplete = new CompletableFuture<>();
  private volatile @Nullable Throwable storeFailure;

  /**
   * Connects to Redis and joins the fleet.
   *
   * @param servers the size of the fleet
   */
  Node(String url, int servers) {
    redis =
        RedisStore.connect(
            RedisSettings.parse(url + "?deadline=" + DEADLINE.toMillis() + "ms"),
            Continuations.DIRECT);
    store =
        SharedStore.around(redis)
            .roster(redis.roster())
            .guard(GUARD)
            .scheduler(scheduler)
            .listener(this)
            .build();
    shared = Limiter.on(store, (rule, outcome, subject) -> {});
    store.start();
    checkFleet(servers);
  }

  private void checkFleet(int servers) {
    if (store.fleet().size() == servers && store.fleet().isKnown()) {
      fleetComplete.complete(null);
    } else {
      scheduler.schedule(CHECK_PERIOD.toNanos(), () -> checkFleet(servers));
    }
  }

  /** Waits until all servers know each other. */
  void awaitFleet() throws Exception {
    fleetComplete.get(START_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** The limiter of a variant. */
  Limiter limiter(Variant variant) {
    return variant == Variant.EMBEDDED ? embedded : shared;
  }

  /** Requests granted from leased permits. */
  long leased() {
    return store.leaseCounts().granted();
  }

  /** Requests that the store has answered. */
  long answers() {
    return answers.sum();
  }

  /** Script calls that those requests were batched in. */
  long calls() {
    return redis.calls();
  }

  /**
   * Checks that the store answered every request.
   *
   * @throws IllegalStateException if it did not, which makes the measurement void
   */
  void check() {
    if (storeFailure != null) {
      throw new IllegalStateException("the store failed during the measurement", storeFailure);
    }
  }

  @Override
  public void onAnswer(@Nullable Throwable failure) {
    if (failure == null) {
      answers.increment();
    } else {
      storeFailure = failure;
    }
  }

  @Override
  public void onRosterLost(Throwable failure) {
    storeFailure = failure;
  }

  @Override
  public void close() {
    store.stop().join();
    redis.close();
    scheduler.close();
  }
}
