package dev.weir.benchmarks.lease;

import dev.weir.Store;
import dev.weir.guard.Fleet;
import dev.weir.guard.GuardSettings;
import dev.weir.guard.Guarded;
import dev.weir.guard.Roster;
import dev.weir.guard.SystemTimers;
import dev.weir.guard.Timers;
import dev.weir.lease.ByMode;
import dev.weir.memory.MemoryStore;
import dev.weir.redis.RedisSettings;
import dev.weir.redis.RedisStore;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * A server without its edges: what is between requests and Redis, put together as there.
 *
 * <p>Only the deadlines are longer: full load on few cores is slower than 25 ms at times.
 */
final class Node implements Guarded.Watcher, AutoCloseable {
  private static final GuardSettings GUARD =
      GuardSettings.DEFAULT.withDeadline(Duration.ofSeconds(3));

  private static final Duration START = Duration.ofSeconds(30);

  private final SystemTimers timers = Timers.system();
  private final MemoryStore embedded = new MemoryStore();
  private final RedisStore redis;
  private final Fleet fleet;
  private final ByMode shared;
  private final LongAdder answers = new LongAdder();
  private final CompletableFuture<Void> complete = new CompletableFuture<>();
  private volatile @Nullable Throwable failed;

  /**
   * @param servers how many of them there are
   */
  Node(String url, int servers) {
    redis = RedisStore.connect(RedisSettings.parse(url + "?deadline=2s"));
    Roster roster = redis.roster();
    fleet = new Fleet(UUID.randomUUID().toString(), roster);
    shared = new ByMode(new Guarded(redis, GUARD, timers, this), embedded, fleet, timers);
    announce(servers);
  }

  private void announce(int servers) {
    fleet
        .announce()
        .whenComplete(
            (forgot, failure) -> {
              if (fleet.size() == servers) {
                complete.complete(null);
              }
              timers.after(Fleet.PERIOD.toNanos(), () -> announce(servers));
            });
  }

  /** Waits until it has heard of all servers. */
  void awaitOthers() throws Exception {
    complete.get(START.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** What is asked. */
  Store store(Way way) {
    return way == Way.EMBEDDED ? embedded : shared;
  }

  /** Requests that the store has answered. */
  long answers() {
    return answers.sum();
  }

  /** Calls of its script that they went in. */
  long calls() {
    return redis.calls();
  }

  /** Refuses what was measured if the store did not answer everything. */
  void check() {
    if (failed != null) {
      throw new IllegalStateException("the store failed while it was measured", failed);
    }
  }

  @Override
  public void told(@Nullable Throwable failure) {
    if (failure == null) {
      answers.increment();
    } else {
      failed = failure;
    }
  }

  @Override
  public void opened(Throwable failure) {}

  @Override
  public CompletionStage<?> answering() {
    return CompletableFuture.completedStage(null);
  }

  @Override
  public void closed() {}

  @Override
  public void close() {
    shared.close().toCompletableFuture().join();
    fleet.leave().toCompletableFuture().join();
    redis.close();
    timers.close();
  }
}
