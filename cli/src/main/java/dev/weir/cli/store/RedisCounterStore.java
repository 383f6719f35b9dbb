package dev.weir.cli.store;

import dev.weir.async.Continuations;
import dev.weir.cli.command.ExitCode;
import dev.weir.cli.command.Failure;
import dev.weir.cli.log.ServiceLog;
import dev.weir.cli.terminal.Terminal;
import dev.weir.key.KeySecret;
import dev.weir.key.KeySpace;
import dev.weir.memory.MemoryStore;
import dev.weir.redis.KeySecretConflict;
import dev.weir.redis.SharedRedis;
import dev.weir.redis.connection.RedisDriver;
import dev.weir.redis.connection.RedisSettings;
import dev.weir.redis.connection.RedisUnusable;
import dev.weir.server.store.StoreConfig;
import dev.weir.shared.GuardSettings;
import java.time.Duration;
import java.util.Optional;
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

  /**
   * How a server starts while Redis cannot be reached.
   *
   * @param patience how long it keeps trying first
   * @param required whether it then gives up, instead of starting without Redis
   */
  record Start(Duration patience, boolean required) {}

  private final SharedRedis redis;
  private final RedisSettings settings;
  private final StoreConfig store;

  private RedisCounterStore(
      SharedRedis redis, RedisSettings settings, MemoryStore local, GuardSettings guard) {
    this.redis = redis;
    this.settings = settings;
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
            redis.memory(),
            redis::problems,
            redis.tables());
  }

  /**
   * Connects to Redis and agrees on the key secret; or, if Redis cannot be reached and is not
   * required, goes on trying in the background.
   *
   * @param secret the configured secret; null to use that of the other servers
   * @param local the in-process store for the time while Redis does not answer
   * @param guard settings of the circuit breaker
   * @param start how long to wait for Redis, and whether to start without it
   * @param err for a line about each failed attempt
   * @throws Failure if Redis is required and stays unreachable, if it cannot be used as it is
   *     configured, or if its servers use a different secret
   */
  static CounterStore open(
      StoreChoice choice,
      @Nullable KeySecret secret,
      MemoryStore local,
      GuardSettings guard,
      Start start,
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
    try {
      return new RedisCounterStore(open(settings, secret, start, err), settings, local, guard);
    } catch (KeySecretConflict e) {
      String flags = "--key-secret-file or " + KeySecretSource.VARIABLE + " with that secret";
      String why = String.valueOf(e.getMessage());
      throw new Failure(
          ExitCode.USAGE, e.isGiven() ? why : why.replace("that secret)", flags + ")"));
    } catch (RedisUnusable e) {
      throw new Failure(ExitCode.USAGE, String.valueOf(e.getMessage()));
    }
  }

  /** Waits for Redis as long as it may, and then starts without it unless it is required. */
  private static SharedRedis open(
      RedisSettings settings, @Nullable KeySecret secret, Start start, Terminal err)
      throws InterruptedException {
    long begin = System.nanoTime();
    Duration delay = MIN_RETRY_DELAY;
    while (true) {
      Duration remaining = start.patience().minusNanos(System.nanoTime() - begin);
      boolean last = remaining.isNegative() || remaining.isZero();
      try {
        // Completions run in the server's event loops, and nothing there blocks.
        return last && !start.required()
            ? SharedRedis.open(settings, RedisDriver.own(), secret, Continuations.DIRECT)
            : SharedRedis.connect(settings, RedisDriver.own(), secret, Continuations.DIRECT);
      } catch (RedisUnusable e) {
        if (last || !e.isTemporary()) {
          throw e;
        }
        Duration next = delay.compareTo(remaining) < 0 ? delay : remaining;
        String why = String.valueOf(e.getMessage());
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
    return redis.keys();
  }

  @Override
  public String location() {
    return "in Redis, "
        + settings
        + redis.unreachable().map(why -> ", which cannot be reached yet").orElse("");
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
