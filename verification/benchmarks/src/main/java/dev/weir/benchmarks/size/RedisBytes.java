package dev.weir.benchmarks.size;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.LimitKey;
import dev.weir.redis.RedisStore;
import dev.weir.redis.connection.RedisSettings;
import dev.weir.testkit.redis.RedisServer;
import dev.weir.testkit.time.ManualTicker;
import java.util.ArrayList;
import java.util.List;

/** Fills a Redis with counters, and measures the growth of its memory. */
final class RedisBytes {
  private static final int CONCURRENT = 20_000;

  private RedisBytes() {}

  /** The bytes that each of so many counters takes. */
  static double perKey(RedisServer redis, SampleCounter counter, int keys) {
    RedisSettings settings =
        RedisSettings.parse(redis.url() + "?deadline=60s&queue=100000&batch=500");
    RedisStore.connect(settings).close(); // loads the scripts
    redis.command("FLUSHALL");
    long before = Long.parseLong(redis.info("memory", "used_memory"));
    ManualTicker ticker = new ManualTicker(1_800_000_000_123_456L);
    try (RedisStore store = RedisStore.connect(settings, ticker)) {
      for (int entry = 1; entry <= counter.entries(); entry++) {
        takeEach(store, counter, keys, entry);
        ticker.advanceMicros(counter.pauseMicros());
      }
    }
    long bytes = Long.parseLong(redis.info("memory", "used_memory")) - before;
    if (redis.number("DBSIZE") != keys) {
      throw new IllegalStateException("keys: " + redis.number("DBSIZE") + " (expected: " + keys);
    }
    redis.command("FLUSHALL");
    return (double) bytes / keys;
  }

  private static void takeEach(RedisStore store, SampleCounter counter, int keys, int entry) {
    for (int from = 0; from < keys; from += CONCURRENT) {
      List<Answer> answers = new ArrayList<>();
      for (int i = from; i < Math.min(keys, from + CONCURRENT); i++) {
        // Spread like hashes.
        LimitKey key = new LimitKey(i * 0x9e3779b97f4a7c15L, i * 0xc2b2ae3d27d4eb4fL);
        answers.add(store.take(new Claim(counter.limit(), key, 1, counter.isHeld() ? entry : 0)));
      }
      for (Answer answer : answers) {
        if (!answer.join().allowed()) {
          throw new IllegalStateException(counter.name() + ": denied");
        }
      }
    }
  }
}
