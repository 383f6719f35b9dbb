package dev.weir.benchmarks.local;

import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.benchmarks.harness.Options;
import dev.weir.benchmarks.harness.Report;
import dev.weir.benchmarks.harness.Scenario;
import dev.weir.key.KeySpace;
import dev.weir.memory.MemoryStore;
import dev.weir.time.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Floods a store with unique keys, of which it has room for few, while one abuser continues.
 *
 * <p>The normal rate comes from callers that fit, nine tenths of the bound, which repeat their
 * requests and never reach their limit. Each key of the flood comes once and expires a tenth of a
 * second later, so the store is always full and always has something to evict. Rounds of both
 * alternate; the first one only warms up, and medians are compared.
 */
public final class FloodScenario implements Scenario {
  private static final int MAX_KEYS = 100_000;
  private static final int FITTING = MAX_KEYS * 9 / 10;
  private static final int FLOOD = 10_000_000;
  private static final int ROUNDS = 6;
  private static final int ABUSER_EVERY = 100;
  private static final long PERMITS = 10;
  private static final Duration WINDOW = Duration.ofSeconds(1);
  private static final Limit LIMIT = Limit.tokenBucket(PERMITS, WINDOW, 1_000);

  private final KeySpace keys = KeySpace.random();
  private final LimitKey abuser = keys.key("abuser");

  @Override
  public String about() {
    return "10,000,000 unique keys through a store of 100,000: memory, speed, one abuser";
  }

  @Override
  public void run(Report report, Options options) {
    boolean full = options.full();
    List<Double> normalRates = new ArrayList<>();
    List<Double> floodRates = new ArrayList<>();
    long maxKeys = 0;
    double maxGrowthMib = 0;
    long maxAboveLimit = Long.MIN_VALUE;
    for (int round = 0; round < (full ? 3 * ROUNDS : ROUNDS); round++) {
      MemoryStore normal = new MemoryStore(MAX_KEYS, Ticker.system());
      send(normal, FLOOD / 10, FITTING);
      double normalRate = send(normal, FLOOD, FITTING).perSecond;
      MemoryStore store = new MemoryStore(MAX_KEYS, Ticker.system());
      long start = System.nanoTime();
      long admitted = send(store, FLOOD / 10, FLOOD).abuserAdmitted;
      double heapMib = heapMib();
      Sent flood = send(store, FLOOD, FLOOD);
      admitted += flood.abuserAdmitted;
      double seconds = (System.nanoTime() - start) / 1e9;
      long maxAdmitted = LIMIT.capacity() + (long) Math.ceil(PERMITS * seconds);
      double growthMib = heapMib() - heapMib;
      report.line(
          String.format(
              Locale.ROOT,
              "- round %d: normal %.2f M/s, flood %.2f M/s, heap %.1f MiB and then %.2f more,"
                  + " %d keys, abuser admitted %d of at most %d",
              round,
              normalRate / 1e6,
              flood.perSecond / 1e6,
              heapMib,
              growthMib,
              store.size(),
              admitted,
              maxAdmitted));
      maxKeys = Math.max(maxKeys, store.size());
      maxAboveLimit = Math.max(maxAboveLimit, admitted - maxAdmitted);
      if (round > 0) {
        normalRates.add(normalRate);
        floodRates.add(flood.perSecond);
        maxGrowthMib = Math.max(maxGrowthMib, growthMib);
      }
    }
    report.claimAtMost("keys-held", MAX_KEYS, (double) maxKeys);
    report.claimAtMost("heap-growth-mib", 1, maxGrowthMib);
    report.claimAtMost("abuser-above-its-limit", 0, (double) maxAboveLimit);
    report.claimAtLeast("over-normal-rate", 0.5, median(floodRates) / median(normalRates));
  }

  private static double median(List<Double> values) {
    return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
  }

  private record Sent(double perSecond, long abuserAdmitted) {}

  private Sent send(MemoryStore store, int requests, int callers) {
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
    return new Sent(requests / seconds, admitted);
  }

  private static double heapMib() {
    System.gc();
    System.gc();
    return (Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory()) / 1048576d;
  }
}
