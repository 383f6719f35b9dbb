package dev.weir.cli.size.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.weir.Algorithm;
import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.redis.RedisStore;
import dev.weir.redis.connection.RedisSettings;
import dev.weir.testkit.Effort;
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

/** The predicted memory of counters, beside that of a real Redis full of them. */
@Timeout(600)
class RedisBytesTest {
  private static final int KEYS = 100_000;
  private static final int CONCURRENT = 20_000;
  private static final double TOLERANCE = 0.1;
  private static final int MAX_POLLS = 10_000;
  private static final Duration HOUR = Duration.ofHours(1);

  /** The grants of a full log, and the permits of a full concurrency limit. */
  private static final int FULL = Effort.of(5, 20);

  private static RedisServer start(RedisBinary program) {
    RedisServer redis = RedisServer.start(program);
    RedisStore.connect(settings(redis)).close(); // loads the scripts
    return redis;
  }

  private static RedisSettings settings(RedisServer redis) {
    return RedisSettings.parse(redis.url() + "?deadline=60s&queue=100000&batch=500");
  }

  @ParameterizedTest
  @EnumSource
  void predictionForEachAlgorithmIsWithinTenPercentOfRedis(Binaries binary) {
    try (RedisServer redis = start(binary.get())) {
      check(redis, KEYS, Limit.tokenBucket(10, Duration.ofSeconds(1), 20), 1);
      check(redis, KEYS, Limit.leakyBucket(10, Duration.ofSeconds(1), 20), 1);
      check(redis, KEYS, Limit.fixedWindow(100, HOUR), 1);
      check(redis, KEYS, Limit.slidingCounter(100, HOUR), 2);
      check(redis, KEYS, Limit.slidingLog(FULL, HOUR), FULL);
      check(redis, KEYS, Limit.concurrent(FULL, HOUR), FULL);
    }
  }

  @ParameterizedTest
  @EnumSource
  void predictionFollowsTheTablesAtOtherNumbersOfKeys(Binaries binary) {
    try (RedisServer redis = start(binary.get())) {
      for (int keys : new int[] {30_000, 65_536, 70_000, 200_000}) {
        check(redis, keys, Limit.tokenBucket(1_000_000, HOUR), 1);
      }
      check(redis, 5_000, Limit.slidingLog(100, HOUR), 100);
      check(redis, 5_000, Limit.concurrent(60, HOUR), 60);
    }
  }

  private static void check(RedisServer redis, int keys, Limit limit, int takes) {
    String version = redis.info("server", "redis_version");
    redis.command("FLUSHALL");
    double before = used(redis);
    ManualTicker ticker = new ManualTicker(1_800_000_000_123_456L);
    boolean counter = limit.algorithm() == Algorithm.SLIDING_COUNTER;
    try (RedisStore store = RedisStore.connect(settings(redis), ticker)) {
      for (int take = 1; take <= takes; take++) {
        takeEach(store, keys, limit, take);
        // The second take of a sliding counter is in its next window.
        ticker.advanceMicros(counter ? limit.windowMicros() : 1_000);
      }
    }
    assertThat(redis.number("DBSIZE")).isEqualTo(keys);
    RedisBuild build = MeasuredTables.load().build(version);
    double predicted =
        (double) keys * RedisKeyBytes.of(limit, takes, build, false).each()
            + RedisKeyBytes.tables(keys);
    // After the last key, Redis still moves keys into a larger table, and then frees the old one.
    double measured = used(redis) - before;
    for (int i = 0; i < MAX_POLLS && Math.abs(predicted / measured - 1) > TOLERANCE; i++) {
      measured = used(redis) - before;
    }
    System.out.printf(
        "Redis %s: %s, %,d keys: %.1f bytes predicted, %.1f measured%n",
        version, limit, keys, predicted / keys, measured / keys);
    assertThat(predicted / measured).as(limit.toString()).isCloseTo(1, within(TOLERANCE));
  }

  private static double used(RedisServer redis) {
    return Long.parseLong(redis.info("memory", "used_memory"));
  }

  private static void takeEach(RedisStore store, int keys, Limit limit, int number) {
    boolean held = limit.algorithm() == Algorithm.CONCURRENCY;
    for (int from = 0; from < keys; from += CONCURRENT) {
      List<Answer> answers = new ArrayList<>();
      for (int i = from; i < Math.min(keys, from + CONCURRENT); i++) {
        // Spread like hashes.
        LimitKey key = new LimitKey(i * 0x9e3779b97f4a7c15L, i * 0xc2b2ae3d27d4eb4fL);
        answers.add(store.take(new Claim(limit, key, 1, held ? number : 0)));
      }
      answers.forEach(answer -> assertThat(answer.join().allowed()).isTrue());
    }
  }
}
