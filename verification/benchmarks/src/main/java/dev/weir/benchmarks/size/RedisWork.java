package dev.weir.benchmarks.size;

import dev.weir.Claim;
import dev.weir.LimitKey;
import dev.weir.redis.RedisStore;
import dev.weir.redis.connection.RedisSettings;
import dev.weir.testkit.redis.RedisServer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;

/**
 * What Redis does for a decision: processor time, and bytes to and from it.
 *
 * @param micros processor time
 */
record RedisWork(double micros, double requestBytes, double replyBytes, double perSecond) {
  private static final int CALLERS = 64;
  private static final int KEYS = 10_000;

  /** Callers that wait for each decision, on random keys; permits are taken and released. */
  static RedisWork of(RedisServer redis, SampleCounter counter, int decisions) throws Exception {
    redis.command("FLUSHALL");
    ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
    try (RedisStore store = RedisStore.connect(RedisSettings.parse(redis.url() + "?deadline=5s"))) {
      run(callers, store, counter, decisions / 2);
      long[] before = counters(redis);
      long start = System.nanoTime();
      run(callers, store, counter, decisions);
      double seconds = (System.nanoTime() - start) / 1e9;
      long[] after = counters(redis);
      return new RedisWork(
          (double) (after[0] - before[0]) / decisions,
          (double) (after[1] - before[1]) / decisions,
          (double) (after[2] - before[2]) / decisions,
          decisions / seconds);
    } finally {
      callers.shutdownNow();
    }
  }

  private static long[] counters(RedisServer redis) {
    return LongStream.of(
            redis.cpuMicros(),
            Long.parseLong(redis.info("stats", "total_net_input_bytes")),
            Long.parseLong(redis.info("stats", "total_net_output_bytes")))
        .toArray();
  }

  private static void run(
      ExecutorService callers, RedisStore store, SampleCounter counter, int decisions)
      throws Exception {
    List<Future<?>> running = new ArrayList<>();
    for (int caller = 0; caller < CALLERS; caller++) {
      SplittableRandom random = new SplittableRandom(caller);
      int own = decisions / CALLERS;
      running.add(callers.submit(() -> decide(store, counter, random, own)));
    }
    for (Future<?> one : running) {
      one.get();
    }
  }

  private static void decide(
      RedisStore store, SampleCounter counter, SplittableRandom random, int decisions) {
    for (int i = 0; i < decisions; i++) {
      int number = random.nextInt(KEYS);
      LimitKey key = new LimitKey(number * 0x9e3779b97f4a7c15L, number * 0xc2b2ae3d27d4eb4fL);
      Claim claim =
          counter.isHeld() ? Claim.hold(counter.limit(), key) : Claim.of(counter.limit(), key);
      if (!store.take(claim).join().allowed()) {
        throw new IllegalStateException(counter.name() + ": denied");
      }
      if (counter.isHeld()) {
        var unused = store.refund(List.of(claim)).join();
      }
    }
  }
}
