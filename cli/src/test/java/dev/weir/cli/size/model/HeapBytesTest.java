package dev.weir.cli.size.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.weir.Algorithm;
import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.memory.MemoryStore;
import dev.weir.testkit.time.ManualTicker;
import java.lang.ref.Reference;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The predicted heap of counters, beside the heap in use with them minus without. */
class HeapBytesTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final double TOLERANCE = 0.1;

  @ParameterizedTest
  @CsvSource({
    "TOKEN_BUCKET, 100000, 1", "TOKEN_BUCKET, 300000, 1", "SLIDING_COUNTER, 200000, 1",
    "FIXED_WINDOW, 70000, 1", "SLIDING_LOG, 100000, 5", "CONCURRENCY, 50000, 20",
  })
  void predictionIsWithinTenPercentOfTheHeap(Algorithm algorithm, int keys, int entries) {
    Limit limit =
        switch (algorithm) {
          case TOKEN_BUCKET, LEAKY_BUCKET -> Limit.tokenBucket(100, HOUR);
          case FIXED_WINDOW -> Limit.fixedWindow(100, HOUR);
          case SLIDING_COUNTER -> Limit.slidingCounter(100, HOUR);
          case SLIDING_LOG -> Limit.slidingLog(entries, HOUR);
          case CONCURRENCY -> Limit.concurrent(entries, HOUR);
        };
    long maxKeys = Math.max(HeapBytes.DEFAULT_MAX_KEYS, keys * HeapBytes.cells(limit));
    assertThat(filled(limit, 1_000, entries, maxKeys).size()).isEqualTo(1_000); // loads classes
    long before = inUse();
    MemoryStore store = filled(limit, keys, entries, maxKeys);
    double measured;
    try {
      measured = inUse() - before;
    } finally {
      Reference.reachabilityFence(store);
    }
    assertThat(store.size()).isEqualTo(keys);
    double predicted =
        HeapBytes.table(keys, maxKeys) + keys * (double) HeapBytes.log(limit, entries);
    System.out.printf(
        "%s, %,d keys: %.1f bytes predicted, %.1f measured%n",
        limit, keys, predicted / keys, measured / keys);
    assertThat(predicted / measured).isCloseTo(1, within(TOLERANCE));
  }

  private static MemoryStore filled(Limit limit, int keys, int entries, long maxKeys) {
    ManualTicker ticker = new ManualTicker(1_800_000_000_123_456L);
    MemoryStore store = new MemoryStore(maxKeys, ticker);
    boolean held = limit.algorithm() == Algorithm.CONCURRENCY;
    for (int entry = 1; entry <= entries; entry++) {
      for (int i = 0; i < keys; i++) {
        LimitKey key = new LimitKey(i * 0x9e3779b97f4a7c15L, i * 0xc2b2ae3d27d4eb4fL);
        assertThat(store.take(new Claim(limit, key, 1, held ? entry : 0)).allowed()).isTrue();
      }
      ticker.advanceMicros(1_000);
    }
    return store;
  }

  /** The least of several, since other threads of this process may allocate meanwhile. */
  private static long inUse() {
    long min = Long.MAX_VALUE;
    for (int i = 0; i < 5; i++) {
      System.gc();
      Runtime runtime = Runtime.getRuntime();
      min = Math.min(min, runtime.totalMemory() - runtime.freeMemory());
    }
    return min;
  }

  @ParameterizedTest
  @CsvSource({"0, 8", "5, 8", "6, 12", "8, 12", "9, 18", "12, 18", "13, 26"})
  void segmentGrowsWhenItIsTwoThirdsFull(long rows, long slots) {
    assertThat(HeapBytes.slots(rows)).isEqualTo(slots);
  }
}
