package dev.weir.cli.store;

import dev.weir.async.Continuations;
import dev.weir.cli.command.ExitCode;
import dev.weir.cli.command.Failure;
import dev.weir.cli.log.ServiceLog;
import dev.weir.cli.terminal.Terminal;
import dev.weir.key.KeySecret;
import dev.weir.key.KeySpace;
import dev.weir.memory.MemoryStore;
import dev.weir.redis.RedisStore;
import dev.weir.redis.SharedKeySecret;
import dev.weir.redis.connection.RedisSettings;
import dev.weir.redis.connection.RedisUnusable;
import dev.weir.server.store.StoreConfig;
import dev.weir.shared.GuardSettings;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Counters in Redis, shared by all servers that use it. This class is not loaded for counters in
 * this process, so that a server without Redis starts faster.
 */
final class RedisCounterStore implements CounterStore {
  private static final Duration MIN_RETRY_DELAY = Duration.ofMillis(250);
  private static final Duration MAX_RETRY_DELAY = Duration.ofSeconds(5);

  /**
   * Logs every attempt to connect; muted, since the server itself reports whether Redis answers.
   */
  private static final Logger LETTUCE = Logger.getLogger("io.lettuce");

  private final RedisStore redis;
  private final RedisSettings settings;
  private final SharedKeySecret secret;
  private final StoreConfig store;

  private RedisCounterStore(
      RedisStore redis,
      RedisSettings settings,
      SharedKeySecret secret,
      MemoryStore local,
      GuardSettings guard) {
    this.redis = redis;
    redis.beginWarmUp();
    this.settings = settings;
    this.secret = secret;
    this.store =
        new StoreConfig(
            kind(settings),
            settings.address(),
            redis,
            local,
            Optional.of(redis.roster()),
            redis.shards(),
            guard.asBackstopOf(settings.deadline()),
            redis::calls,
            secret::problems);
  }

  /**
   * Connects to Redis and agrees on the key secret.
   *
   * @param secret the configured secret; null to use that of the other servers
   * @param local the in-process store for the time while Redis does not answer
   * @param guard settings of the circuit breaker
   * @param wait how long to keep trying while Redis is unusable
   * @param err for a line about each failed attempt
   * @throws Failure if Redis stays unusable, or if its servers use a different secret
   */
  static CounterStore open(
      StoreChoice choice,
      @Nullable KeySecret secret,
      MemoryStore local,
      GuardSettings guard,
      Duration wait,
      Terminal err)
      throws Failure, InterruptedException {
    LETTUCE.setLevel(ServiceLog.isTracing() ? null : Level.SEVERE);
    RedisSettings settings;
    try {
      settings = RedisSettings.parse(choice.url());
      settings.checkFiles();
    } catch (IllegalArgumentException e) {
      throw choice.invalid(String.valueOf(e.getMessage()));
    }
    RedisStore redis = connect(settings, wait, err);
    try {
      SharedKeySecret agreed = agree(redis, settings, secret);
      return new RedisCounterStore(redis, settings, agreed, local, guard);
    } catch (Failure | InterruptedException | RuntimeException e) {
      redis.close();
      throw e;
    }
  }

  private static SharedKeySecret agree(
      RedisStore redis, RedisSettings settings, @Nullable KeySecret secret)
      throws Failure, InterruptedException {
    String why;
    try {
      return redis.keySecret(secret);
    } catch (SharedKeySecret.Conflict e) {
      why =
          e.isGiven()
              ? String.valueOf(e.getMessage())
              : "its servers share a key secret that is not stored there (expected: "
                  + "--key-secret-file or "
                  + KeySecretSource.VARIABLE
                  + " with that secret)";
    } catch (RedisUnusable e) {
      why = String.valueOf(e.getMessage());
    }
    throw new Failure(ExitCode.USAGE, "Redis at " + settings + ": " + why);
  }

  private static RedisStore connect(RedisSettings settings, Duration wait, Terminal err)
      throws Failure, InterruptedException {
    long start = System.nanoTime();
    Duration delay = MIN_RETRY_DELAY;
    while (true) {
      try {
        // Completions run in the server's event loops, and nothing there blocks.
        return RedisStore.connect(settings, Continuations.DIRECT);
      } catch (RedisUnusable e) {
        String why = String.valueOf(e.getMessage());
        Duration remaining = wait.minusNanos(System.nanoTime() - start);
        if (remaining.isNegative() || remaining.isZero()) {
          throw new Failure(ExitCode.USAGE, why);
        }
        Duration next = delay.compareTo(remaining) < 0 ? delay : remaining;
        err.line("weir: ", why, "; trying again in ", next.toMillis(), " ms");
        TimeUnit.MILLISECONDS.sleep(next.toMillis());
        Duration doubled = delay.multipliedBy(2);
        delay = doubled.compareTo(MAX_RETRY_DELAY) < 0 ? doubled : MAX_RETRY_DELAY;
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
  public StoreConfig store() {
    return store;
  }

  @Override
  public KeySpace keys() {
    return secret.keys();
  }

  @Override
  public String location() {
    return "in Redis, " + settings;
  }

  @Override
  public void start(ScheduledExecutorService scheduler) {
    secret.watch(scheduler);
  }

  @Override
  public void ready() {
    redis.endWarmUp();
  }

  @Override
  public void close() {
    redis.close();
  }
}
