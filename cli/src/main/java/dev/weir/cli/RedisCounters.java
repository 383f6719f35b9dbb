package dev.weir.cli;

import dev.weir.cli.log.ServiceLog;
import dev.weir.guard.GuardSettings;
import dev.weir.key.KeySpace;
import dev.weir.memory.MemoryStore;
import dev.weir.operation.Continuations;
import dev.weir.redis.RedisSettings;
import dev.weir.redis.RedisStore;
import dev.weir.redis.RedisUnusable;
import dev.weir.server.StoreInUse;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Counters in Redis, shared by all servers that use it. Nothing of this is loaded for counters in
 * this process, which start sooner without it.
 */
final class RedisCounters implements Counters {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(250);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

  /** The driver tells of every attempt to connect; whether Redis answers, the server tells. */
  private static final Logger DRIVER = Logger.getLogger("io.lettuce");

  private final RedisStore redis;
  private final RedisSettings settings;
  private final FleetSecret secret;
  private final StoreInUse store;

  private RedisCounters(
      RedisStore redis,
      RedisSettings settings,
      FleetSecret secret,
      MemoryStore local,
      GuardSettings guard) {
    this.redis = redis;
    redis.warmUp();
    this.settings = settings;
    this.secret = secret;
    this.store =
        new StoreInUse(
            kind(settings),
            settings.address(),
            redis,
            local,
            Optional.of(redis.roster()),
            redis.places(),
            guard.behind(settings.deadline()),
            redis::calls,
            secret::problems);
  }

  /**
   * Connects.
   *
   * @param guard when it is no longer asked
   * @param wait how long to go on trying while Redis cannot be used
   * @throws Failure if it cannot, with the reason in one line
   */
  static Counters open(
      StoreChoice choice,
      @Nullable KeySecret given,
      MemoryStore local,
      GuardSettings guard,
      Duration wait,
      Terminal err)
      throws Failure, InterruptedException {
    DRIVER.setLevel(ServiceLog.isTracing() ? null : Level.SEVERE);
    RedisSettings settings;
    try {
      settings = RedisSettings.parse(choice.url());
      settings.checkFiles();
    } catch (IllegalArgumentException e) {
      throw choice.refused(String.valueOf(e.getMessage()));
    }
    RedisStore redis = connect(settings, wait, err);
    try {
      FleetSecret secret = FleetSecret.agree(redis, settings, given);
      return new RedisCounters(redis, settings, secret, local, guard);
    } catch (Failure | InterruptedException | RuntimeException e) {
      redis.close();
      throw e;
    }
  }

  private static RedisStore connect(RedisSettings settings, Duration wait, Terminal err)
      throws Failure, InterruptedException {
    long start = System.nanoTime();
    Duration pause = FIRST_PAUSE;
    while (true) {
      try {
        // Requests go on in the server's event loops, and nothing here blocks.
        return RedisStore.connect(settings, Continuations.DIRECT);
      } catch (RedisUnusable e) {
        String why = String.valueOf(e.getMessage());
        Duration left = wait.minusNanos(System.nanoTime() - start);
        if (left.isNegative() || left.isZero()) {
          throw new Failure(Exit.USAGE, why);
        }
        Duration next = pause.compareTo(left) < 0 ? pause : left;
        err.line("weir: ", why, "; trying again in ", next.toMillis(), " ms");
        TimeUnit.MILLISECONDS.sleep(next.toMillis());
        Duration twice = pause.multipliedBy(2);
        pause = twice.compareTo(LONGEST_PAUSE) < 0 ? twice : LONGEST_PAUSE;
      }
    }
  }

  private static String kind(RedisSettings settings) {
    return switch (settings.kind()) {
      case STANDALONE -> "redis";
      case SENTINEL -> "redis-sentinel";
      case CLUSTER -> "redis-cluster";
    };
  }

  @Override
  public StoreInUse store() {
    return store;
  }

  @Override
  public KeySpace keys() {
    return secret.keys();
  }

  @Override
  public String where() {
    return "in Redis, " + settings;
  }

  @Override
  public void start(ScheduledExecutorService scheduler) {
    secret.watch(scheduler);
  }

  @Override
  public void ready() {
    redis.warm();
  }

  @Override
  public void close() {
    redis.close();
  }
}
