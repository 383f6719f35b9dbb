package dev.weir.benchmarks.lease;

import dev.weir.Ticker;
import dev.weir.guard.Fleet;
import dev.weir.guard.GuardSettings;
import dev.weir.guard.Places;
import dev.weir.guard.Standby;
import dev.weir.guard.SystemTimers;
import dev.weir.guard.Timers;
import dev.weir.guard.Upkeep;
import dev.weir.lease.ByMode;
import dev.weir.memory.MemoryStore;
import dev.weir.operation.Continuations;
import dev.weir.redis.RedisSettings;
import dev.weir.redis.RedisStore;
import dev.weir.rule.Limiter;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * A server without its edges: what is between requests and Redis, put together as there.
 *
 * <p>Only the deadlines are longer: full load on few cores is slower than 25 ms at times.
 */
final class Node implements Upkeep.Watcher, AutoCloseable {
  private static final Duration DEADLINE = Duration.ofSeconds(1);

  /** As a server has it: the store's own deadline comes first. */
  private static final GuardSettings GUARD = GuardSettings.DEFAULT.behind(DEADLINE);

  private static final Duration START = Duration.ofSeconds(30);
  private static final Duration LOOK = Duration.ofMillis(50);

  private final SystemTimers timers = Timers.system(Continuations.DIRECT);
  private final Limiter embedded = new Limiter(new MemoryStore(), (rule, outcome) -> {});
  private final RedisStore redis;
  private final Fleet fleet;
  private final Upkeep upkeep;
  private final ByMode byMode;
  private final Limiter shared;
  private final LongAdder answers = new LongAdder();
  private final CompletableFuture<Void> complete = new CompletableFuture<>();
  private volatile @Nullable Throwable failed;

  /**
   * @param servers how many of them there are
   */
  Node(String url, int servers) {
    redis =
        RedisStore.connect(
            RedisSettings.parse(url + "?deadline=" + DEADLINE.toMillis() + "ms"),
            Continuations.DIRECT);
    fleet = new Fleet(UUID.randomUUID().toString(), redis.roster(), timers);
    MemoryStore local = new MemoryStore();
    Standby standby = new Standby(local, fleet, Ticker.system());
    upkeep = new Upkeep(redis, Places.ONE, GUARD, timers, fleet, standby, this);
    byMode = new ByMode(upkeep.guarded(), local, fleet, timers);
    shared = new Limiter(byMode, standby, (rule, outcome) -> {});
    upkeep.start();
    lookForOthers(servers);
  }

  private void lookForOthers(int servers) {
    if (fleet.size() == servers && fleet.isKnown()) {
      complete.complete(null);
    } else {
      timers.after(LOOK.toNanos(), () -> lookForOthers(servers));
    }
  }

  /** Waits until it has heard of all servers, and they of it. */
  void awaitOthers() throws Exception {
    complete.get(START.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** What is asked. */
  Limiter limiter(Way way) {
    return way == Way.EMBEDDED ? embedded : shared;
  }

  /** Requests that passed on permits taken in advance. */
  long leased() {
    return byMode.counts().granted();
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
  public void lost(String place, Throwable failure) {}

  @Override
  public void found() {}

  @Override
  public void listed() {}

  @Override
  public void unlisted(Throwable failure) {
    failed = failure;
  }

  @Override
  public void close() {
    upkeep.stop().toCompletableFuture().join();
    byMode.close().toCompletableFuture().join();
    fleet.leave().toCompletableFuture().join();
    redis.close();
    timers.close();
  }
}
