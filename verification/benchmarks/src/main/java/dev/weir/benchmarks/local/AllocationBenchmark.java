package dev.weir.benchmarks.local;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.key.KeySpace;
import dev.weir.memory.MemoryStore;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * Measures what a granted and a denied decision allocate.
 *
 * <p>All algorithms without a log take turns in one process, so that the compiler cannot optimize
 * for one of them alone.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
public class AllocationBenchmark {
  private static final Duration WINDOW = Duration.ofDays(1);
  private static final long PLENTY = 1L << 30;

  private final KeySpace keys = KeySpace.random();
  private final MemoryStore store = new MemoryStore();

  private final Limit[] plenty = {
    Limit.tokenBucket(PLENTY, Duration.ofSeconds(1)),
    Limit.leakyBucket(PLENTY, Duration.ofSeconds(1), PLENTY),
    Limit.fixedWindow(1L << 50, WINDOW),
    Limit.slidingCounter(Integer.MAX_VALUE, Duration.ofSeconds(1)),
  };
  private final Limit[] spent = {
    Limit.tokenBucket(1, WINDOW),
    Limit.leakyBucket(1, WINDOW, 0),
    Limit.fixedWindow(1, WINDOW),
    Limit.slidingCounter(1, WINDOW),
  };
  private final LimitKey[] plentyKeys = keysOf("plenty");
  private final LimitKey[] spentKeys = keysOf("spent");
  private int turn;

  private LimitKey[] keysOf(String name) {
    LimitKey[] created = new LimitKey[4];
    for (int i = 0; i < created.length; i++) {
      created[i] = keys.key(name, String.valueOf(i));
    }
    return created;
  }

  @Benchmark
  public Decision allow() {
    int i = turn++ & 3;
    return store.take(plenty[i], plentyKeys[i]);
  }

  @Benchmark
  public Decision deny() {
    int i = turn++ & 3;
    return store.take(spent[i], spentKeys[i]);
  }

  @Benchmark
  public Decision allowClaim() {
    int i = turn++ & 3;
    return store.take(Claim.of(plenty[i], plentyKeys[i]));
  }

  /** What a store that answered with a future would allocate; for comparison only. */
  @Benchmark
  public CompletableFuture<Decision> allowInFuture() {
    int i = turn++ & 3;
    return CompletableFuture.completedFuture(store.take(plenty[i], plentyKeys[i]));
  }
}
