package dev.weir.gateway;

import dev.weir.async.Continuations;
import dev.weir.key.KeySpace;
import dev.weir.memory.MemoryStore;
import dev.weir.redis.SharedRedis;
import dev.weir.redis.connection.RedisDriver;
import dev.weir.redis.connection.RedisSettings;
import dev.weir.server.store.StoreConfig;
import dev.weir.shared.GuardSettings;
import java.util.Optional;

/** Counters in a Redis, as one gateway of several uses them. */
final class RedisCounters implements AutoCloseable {
  private final SharedRedis redis;
  private final StoreConfig config;

  private RedisCounters(SharedRedis redis, RedisSettings settings) {
    this.redis = redis;
    this.config =
        new StoreConfig(
            "redis",
            redis,
            new MemoryStore(),
            Optional.of(redis.roster()),
            redis.shards(),
            GuardSettings.DEFAULT.asBackstopOf(settings.deadline()),
            redis::calls,
            redis::problems);
  }

  /** Connects to the Redis at a port, with a deadline that a busy machine meets. */
  static RedisCounters at(int port) {
    RedisSettings settings = RedisSettings.parse("redis://127.0.0.1:" + port + "?deadline=20s");
    try {
      return new RedisCounters(
          SharedRedis.connect(settings, RedisDriver.own(), null, Continuations.DIRECT), settings);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  StoreConfig config() {
    return config;
  }

  KeySpace keys() {
    return redis.keys();
  }

  @Override
  public void close() {
    redis.close();
  }
}
