package dev.weir.benchmarks.local;

import com.google.common.util.concurrent.RateLimiter;
import dev.weir.Limit;
import dev.weir.key.KeySpace;
import dev.weir.memory.MemoryStore;
import io.github.bucket4j.Bucket;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.github.resilience4j.ratelimiter.RateLimiterRegistry;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.IntFunction;

/** Measures the heap of a million live keys by contender: heap in use with them minus without. */
final class Footprint {
  private static final int KEYS = 1_000_000;
  private static final Duration WINDOW = Duration.ofHours(1);

  private Footprint() {}

  static Map<String, Double> measure() throws InterruptedException {
    Map<String, Double> bytesPerKey = new LinkedHashMap<>();
    bytesPerKey.put("weir", bytesPerKey(Footprint::weir));
    bytesPerKey.put("bucket4j", bytesPerKey(Footprint::bucket4j));
    bytesPerKey.put("guava", bytesPerKey(Footprint::guava));
    bytesPerKey.put("resilience4j", bytesPerKey(Footprint::resilience4j));
    return bytesPerKey;
  }

  private static double bytesPerKey(IntFunction<Object> fill) throws InterruptedException {
    // A small run first, so that classes and constants are loaded before the first measurement.
    Object unused = fill.apply(1_000);
    long before = heapInUse();
    Object limiters = fill.apply(KEYS);
    try {
      return (double) (heapInUse() - before) / KEYS;
    } finally {
      Reference.reachabilityFence(limiters);
    }
  }

  private static Object weir(int keys) {
    MemoryStore store = new MemoryStore();
    KeySpace space = KeySpace.random();
    // Slow to refill, so that no key expires while a busy machine creates the others.
    Limit limit = Limit.tokenBucket(1, WINDOW);
    for (int i = 0; i < keys; i++) {
      store.take(limit, space.key("customer-" + i));
    }
    if (store.size() != keys) {
      throw new IllegalStateException("keys: " + store.size() + " (expected: " + keys + ")");
    }
    return store;
  }

  private static Object bucket4j(int keys) {
    ConcurrentMap<String, Bucket> buckets = new ConcurrentHashMap<>();
    for (int i = 0; i < keys; i++) {
      Bucket bucket =
          Bucket.builder().addLimit(l -> l.capacity(1_000).refillGreedy(1_000, WINDOW)).build();
      bucket.tryConsume(1);
      buckets.put("customer-" + i, bucket);
    }
    return buckets;
  }

  private static Object guava(int keys) {
    ConcurrentMap<String, RateLimiter> limiters = new ConcurrentHashMap<>();
    for (int i = 0; i < keys; i++) {
      RateLimiter limiter = RateLimiter.create(1_000 / 3_600d);
      boolean unused = limiter.tryAcquire();
      limiters.put("customer-" + i, limiter);
    }
    return limiters;
  }

  private static Object resilience4j(int keys) {
    RateLimiterRegistry registry =
        RateLimiterRegistry.of(
            RateLimiterConfig.custom()
                .limitForPeriod(1_000)
                .limitRefreshPeriod(WINDOW)
                .timeoutDuration(Duration.ZERO)
                .build());
    for (int i = 0; i < keys; i++) {
      registry.rateLimiter("customer-" + i).acquirePermission();
    }
    return registry;
  }

  private static long heapInUse() throws InterruptedException {
    long min = Long.MAX_VALUE;
    for (int i = 0; i < 5; i++) {
      System.gc();
      Thread.sleep(100); // lets the concurrent collector finish
      Runtime runtime = Runtime.getRuntime();
      min = Math.min(min, runtime.totalMemory() - runtime.freeMemory());
    }
    return min;
  }
}
