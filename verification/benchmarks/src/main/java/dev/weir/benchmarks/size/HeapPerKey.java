package dev.weir.benchmarks.size;

import dev.weir.Claim;
import dev.weir.LimitKey;
import dev.weir.cli.size.model.HeapBytes;
import dev.weir.memory.MemoryStore;
import dev.weir.testkit.time.ManualTicker;
import java.lang.ref.Reference;

/** Fills an in-process store with counters, and measures the heap. */
final class HeapPerKey {
  private HeapPerKey() {}

  /** The bytes that each of so many counters takes. */
  static double of(SampleCounter counter, int keys) throws InterruptedException {
    var unused = fill(counter, 1_000);
    long before = inUse();
    Object store = fill(counter, keys);
    try {
      return (double) (inUse() - before) / keys;
    } finally {
      Reference.reachabilityFence(store);
    }
  }

  /** Enough for so many counters, or the default. */
  static long maxKeys(SampleCounter counter, int keys) {
    return Math.max(HeapBytes.DEFAULT_MAX_KEYS, keys * HeapBytes.cells(counter.limit()));
  }

  private static Object fill(SampleCounter counter, int keys) {
    ManualTicker ticker = new ManualTicker(1_800_000_000_123_456L);
    MemoryStore store = new MemoryStore(maxKeys(counter, keys), ticker);
    for (int entry = 1; entry <= counter.entries(); entry++) {
      for (int i = 0; i < keys; i++) {
        LimitKey key = new LimitKey(i * 0x9e3779b97f4a7c15L, i * 0xc2b2ae3d27d4eb4fL);
        store.take(new Claim(counter.limit(), key, 1, counter.isHeld() ? entry : 0));
      }
      ticker.advanceMicros(counter.pauseMicros());
    }
    return store;
  }

  private static long inUse() throws InterruptedException {
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
