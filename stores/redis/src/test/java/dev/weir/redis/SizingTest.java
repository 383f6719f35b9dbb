package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Algorithm;
import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.redis.connection.RedisSettings;
import dev.weir.testkit.Effort;
import dev.weir.testkit.redis.Await;
import dev.weir.testkit.redis.Binaries;
import dev.weir.testkit.redis.RedisBinary;
import dev.weir.testkit.redis.RedisServer;
import dev.weir.testkit.time.ManualTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The memory that counters take in Redis, and their expiry.
 *
 * <p>{@code -Dweir.keys=1000000} measures a million counters.
 */
@Timeout(300)
class SizingTest {
  private static final int KEYS = Effort.of("weir.keys", 60_000, 100_000);
  private static final int MAX_BYTES = 170;

  /** The number of requests that wait at once. */
  private static final int CONCURRENT = 20_000;

  private static final Duration HOUR = Duration.ofHours(1);

  private static RedisSettings settings(RedisServer redis) {
    return RedisSettings.parse(redis.url() + "?deadline=30s&queue=100000&batch=500");
  }

  private static long usedMemory(RedisServer redis) {
    return Long.parseLong(redis.info("memory", "used_memory"));
  }

  private static LimitKey key(int number) {
    // Spread like hashes.
    return new LimitKey(number * 0x9e3779b97f4a7c15L, number * 0xc2b2ae3d27d4eb4fL);
  }

  /** Takes from each key, some thousands at a time. */
  private static void takeEach(RedisStore store, int keys, Limit limit, long cost, long permit) {
    for (int from = 0; from < keys; from += CONCURRENT) {
      List<Answer> answers = new ArrayList<>();
      for (int i = from; i < Math.min(keys, from + CONCURRENT); i++) {
        answers.add(store.take(new Claim(limit, key(i), cost, permit)));
      }
      answers.forEach(answer -> assertThat(answer.join().allowed()).isTrue());
    }
  }

  /** A server that has loaded the scripts, without connections. */
  private static RedisServer start(RedisBinary program) {
    RedisServer redis = RedisServer.start(program);
    RedisStore.connect(settings(redis)).close();
    return redis;
  }

  @ParameterizedTest
  @EnumSource
  void tokenBucketTakesLessThan170Bytes(Binaries binary) {
    try (RedisServer redis = start(binary.get())) {
      double bytes = fill(redis, KEYS, Limit.tokenBucket(10, Duration.ofSeconds(1), 36_000));
      assertThat(redis.number("DBSIZE")).isEqualTo(KEYS);
      assertThat(bytes).isBetween(50.0, (double) MAX_BYTES);
      System.out.printf(
          "%s: %,d token buckets, %.1f bytes each%n",
          redis.info("server", "redis_version"), KEYS, bytes);
    }
  }

  /** Empties so many buckets, and returns the bytes that each takes in Redis. */
  private static double fill(RedisServer redis, int keys, Limit limit) {
    long before = usedMemory(redis);
    try (RedisStore store = RedisStore.connect(settings(redis))) {
      takeEach(store, keys, limit, limit.capacity(), 0);
    }
    return (usedMemory(redis) - before) / (double) keys;
  }

  @ParameterizedTest
  @EnumSource
  void fullTokenBucketsExpire(Binaries binary) {
    int keys = Effort.of("weir.keys", 1_000, 100_000);
    int seconds = Math.max(2, keys / 8_000);
    try (RedisServer redis = start(binary.get())) {
      fill(redis, keys, Limit.tokenBucket(10, Duration.ofSeconds(1), 10L * seconds));
      long written = System.nanoTime();
      // Keys live a second or two after the bucket is full; Redis needs some time to expire them.
      Duration limit = Duration.ofSeconds(seconds + Effort.of(120, 31));
      Await.until("all are expired", limit, () -> redis.number("DBSIZE") == 0);
      System.out.printf(
          "%s: %,d token buckets, full after %d s, all expired %.1f s after the last was written%n",
          redis.info("server", "redis_version"),
          keys,
          seconds,
          (System.nanoTime() - written) / 1e9);
    }
  }

  @ParameterizedTest
  @EnumSource
  void memoryOfEachAlgorithmIsBounded(Binaries binary) {
    try (RedisServer redis = start(binary.get())) {
      System.out.println("Redis " + redis.info("server", "redis_version") + ", bytes per key");
      int many = KEYS / 8;
      int few = KEYS / 80;
      measure(redis, "token bucket", Limit.tokenBucket(10, Duration.ofSeconds(1), 20), many, 1);
      measure(redis, "leaky bucket", Limit.leakyBucket(10, Duration.ofSeconds(1), 20), many, 1);
      measure(redis, "fixed window", Limit.fixedWindow(100, HOUR), many, 1);
      measure(redis, "sliding counter", Limit.slidingCounter(100, HOUR), many, 1);
      measure(redis, "sliding log, 5 grants", Limit.slidingLog(100, HOUR), few, 5);
      measure(redis, "sliding log, 100 grants", Limit.slidingLog(100, HOUR), few, 100);
      measure(redis, "concurrency, 5 holders", Limit.concurrent(100, HOUR), few, 5);
      measure(redis, "concurrency, 100 holders", Limit.concurrent(100, HOUR), few, 100);
    }
  }

  private static void measure(RedisServer redis, String name, Limit limit, int keys, int takes) {
    redis.command("FLUSHALL");
    long before = usedMemory(redis);
    ManualTicker ticker = new ManualTicker(1_800_000_000_123_456L);
    try (RedisStore store = RedisStore.connect(settings(redis), ticker)) {
      for (int i = 1; i <= takes; i++) {
        takeEach(store, keys, limit, 1, limit.algorithm() == Algorithm.CONCURRENCY ? i : 0);
        ticker.advanceMicros(1_000);
      }
    }
    double bytes = (usedMemory(redis) - before) / (double) keys;
    System.out.printf("| %s | %.0f |%n", name, bytes);
    int entry = limit.algorithm() == Algorithm.CONCURRENCY ? 24 : 16;
    assertThat(bytes).as(name).isBetween(50.0, MAX_BYTES + 1.3 * entry * takes);
  }
}
