package dev.weir.benchmarks.local;

import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.Ticker;
import dev.weir.benchmarks.Report;
import dev.weir.benchmarks.Scenario;
import dev.weir.key.KeySpace;
import dev.weir.memory.MemoryStore;
import java.time.Duration;
import java.util.Locale;

/**
 * Unique keys pour through a store that has room for few of them, while one abuser goes on.
 *
 * <p>The normal rate is the same requests from callers that fit: a tenth of the bound, over and
 * over.
 */
public final class FloodScenario implements Scenario {
  private static final int MAX_KEYS = 100_000;
  private static final int FLOOD = 10_000_000;
  private static final int ROUNDS = 3;
  private static final int ABUSER_EVERY = 100;
  private static final long PERMITS = 10;
  private static final Duration WINDOW = Duration.ofSeconds(1);
  private static final Limit LIMIT = Limit.tokenBucket(PERMITS, WINDOW, 20);

  private final KeySpace keys = KeySpace.random();
  private final LimitKey abuser = keys.key("abuser");

  @Override
  public String about() {
    return "10,000,000 unique keys through a store of 100,000: memory, speed, one abuser";
  }

  @Override
  public void run(Report report, boolean full) {
    double worst = Double.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      MemoryStore normal = new MemoryStore(MAX_KEYS, Ticker.system());
      pour(normal, FLOOD / 10, MAX_KEYS * 9 / 10);
      double normalRate = pour(normal, FLOOD, MAX_KEYS * 9 / 10).perSecond;
      MemoryStore store = new MemoryStore(MAX_KEYS, Ticker.system());
      pour(store, FLOOD / 10, FLOOD);
      long heapBefore = heapInUse();
      Poured flood = pour(store, FLOOD, FLOOD);
      long heapAfter = heapInUse();
      worst = Math.min(worst, flood.perSecond / normalRate);
      report.line(
          String.format(
              Locale.ROOT,
              "- round %d: normal %.2f M/s, flood %.2f M/s, heap %.1f then %.1f MiB, %d keys,"
                  + " abuser admitted %d of at most %d",
              round + 1,
              normalRate / 1e6,
              flood.perSecond / 1e6,
              heapBefore / 1048576d,
              heapAfter / 1048576d,
              store.size(),
              flood.abuserAdmitted,
              flood.abuserMost));
      report.claimAtMost("keys-held-round-" + (round + 1), MAX_KEYS, (double) store.size());
      report.claimAtMost(
          "heap-growth-mib-round-" + (round + 1), 1, (heapAfter - heapBefore) / 1048576d);
      report.claimAtMost(
          "abuser-admitted-round-" + (round + 1),
          (double) flood.abuserMost,
          (double) flood.abuserAdmitted);
    }
    report.claimAtLeast("flood-over-normal-rate", 0.5, worst);
  }

  private record Poured(double perSecond, long abuserAdmitted, long abuserMost) {}

  private Poured pour(MemoryStore store, int requests, int callers) {
    long start = System.nanoTime();
    long admitted = 0;
    for (int i = 0; i < requests; i++) {
      if (i % ABUSER_EVERY == 0) {
        admitted += store.take(LIMIT, abuser).allowed() ? 1 : 0;
      } else {
        store.take(LIMIT, keys.key("caller", Integer.toString(i % callers)));
      }
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    long most = LIMIT.capacity() + (long) Math.ceil(PERMITS * seconds);
    return new Poured(requests / seconds, admitted, most);
  }

  private static long heapInUse() {
    System.gc();
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }
}
