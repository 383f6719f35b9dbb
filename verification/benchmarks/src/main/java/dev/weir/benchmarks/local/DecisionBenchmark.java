package dev.weir.benchmarks.local;

import com.google.common.util.concurrent.RateLimiter;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.key.KeySpace;
import dev.weir.memory.MemoryStore;
import io.github.bucket4j.Bucket;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.github.resilience4j.ratelimiter.RateLimiterRegistry;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * One decision for one caller out of {@code keys}, none of them at its limit.
 *
 * <p>Every contender gets the caller's key ready made: the peers a string with a cached hash code,
 * Weir a limit key. The peers keep their limiters in the map that their users would use: a
 * concurrent hash map for Bucket4j and Guava, its own registry for Resilience4j. They answer yes or
 * no. Weir answers with a whole decision; {@code weirFromId} also derives the limit key each time,
 * hashing the id with a secret.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
public class DecisionBenchmark {
  private static final int PERMITS = 1_000_000_000;
  private static final Duration WINDOW = Duration.ofSeconds(1);

  /** The callers. */
  @State(Scope.Benchmark)
  public static class Callers {
    @Param({"100000", "1"})
    public int keys;

    String[] ids = {};

    @Setup
    public void make() {
      ids = new String[keys];
      for (int i = 0; i < keys; i++) {
        ids[i] = "customer-" + i;
      }
    }
  }

  /** A cheap random generator of callers, one per thread. */
  @State(Scope.Thread)
  public static class Arrivals {
    private static final AtomicLong SEEDS = new AtomicLong();

    private long state = SEEDS.addAndGet(0x9e3779b97f4a7c15L);

    int next(int bound) {
      state ^= state << 13;
      state ^= state >>> 7;
      state ^= state << 17;
      return (int) (((state >>> 32) * bound) >>> 32);
    }
  }

  /** Weir's in-process store. */
  @State(Scope.Benchmark)
  public static class Weir {
    final KeySpace keys = KeySpace.random();
    // Slow to refill, so that every key stays live; large enough never to run out.
    final Limit limit = Limit.tokenBucket(1_000, Duration.ofHours(1), 600_000_000);
    final MemoryStore store = new MemoryStore();

    @Setup
    public void fill(Callers callers) {
      for (String id : callers.ids) {
        store.take(limit, keys.key(id));
      }
    }
  }

  /** Weir's in-process store, called with keys hashed in advance. */
  @State(Scope.Benchmark)
  public static class WeirKeys extends Weir {
    LimitKey[] made = {};

    @Setup
    public void make(Callers callers) {
      made = new LimitKey[callers.keys];
      for (int i = 0; i < made.length; i++) {
        made[i] = keys.key(callers.ids[i]);
      }
    }
  }

  /** Bucket4j in a map. */
  @State(Scope.Benchmark)
  public static class Bucket4j {
    final ConcurrentHashMap<String, Bucket> buckets = new ConcurrentHashMap<>();

    Bucket bucket(String id) {
      Bucket bucket = buckets.get(id);
      return bucket != null ? bucket : buckets.computeIfAbsent(id, absent -> create());
    }

    static Bucket create() {
      return Bucket.builder()
          .addLimit(limit -> limit.capacity(PERMITS).refillGreedy(PERMITS, WINDOW))
          .build();
    }

    @Setup
    public void fill(Callers callers) {
      for (String id : callers.ids) {
        bucket(id).tryConsume(1);
      }
    }
  }

  /** Guava's limiter in a map. */
  @State(Scope.Benchmark)
  public static class Guava {
    final ConcurrentHashMap<String, RateLimiter> limiters = new ConcurrentHashMap<>();

    RateLimiter limiter(String id) {
      RateLimiter limiter = limiters.get(id);
      return limiter != null
          ? limiter
          : limiters.computeIfAbsent(id, absent -> RateLimiter.create(PERMITS));
    }

    @Setup
    public void fill(Callers callers) {
      for (String id : callers.ids) {
        boolean unused = limiter(id).tryAcquire();
      }
    }
  }

  /** Resilience4j in its registry. */
  @State(Scope.Benchmark)
  public static class Resilience4j {
    final RateLimiterRegistry registry =
        RateLimiterRegistry.of(
            RateLimiterConfig.custom()
                .limitForPeriod(PERMITS)
                .limitRefreshPeriod(WINDOW)
                .timeoutDuration(Duration.ZERO)
                .build());

    @Setup
    public void fill(Callers callers) {
      for (String id : callers.ids) {
        registry.rateLimiter(id).acquirePermission();
      }
    }
  }

  @Benchmark
  public Decision weirFromId(Weir weir, Callers callers, Arrivals arrivals) {
    String id = callers.ids[arrivals.next(callers.keys)];
    return weir.store.take(weir.limit, weir.keys.key(id));
  }

  @Benchmark
  public Decision weir(WeirKeys weir, Callers callers, Arrivals arrivals) {
    return weir.store.take(weir.limit, weir.made[arrivals.next(callers.keys)]);
  }

  @Benchmark
  public boolean bucket4j(Bucket4j peer, Callers callers, Arrivals arrivals) {
    return peer.bucket(callers.ids[arrivals.next(callers.keys)]).tryConsume(1);
  }

  @Benchmark
  public boolean guava(Guava peer, Callers callers, Arrivals arrivals) {
    return peer.limiter(callers.ids[arrivals.next(callers.keys)]).tryAcquire();
  }

  @Benchmark
  public boolean resilience4j(Resilience4j peer, Callers callers, Arrivals arrivals) {
    String id = callers.ids[arrivals.next(callers.keys)];
    return peer.registry.rateLimiter(id).acquirePermission();
  }
}
