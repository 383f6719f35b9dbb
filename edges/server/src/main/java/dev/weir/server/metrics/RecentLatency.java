package dev.weir.server.metrics;

import dev.weir.server.exposition.Histogram;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * The latency of the decisions of the last {@value #SECONDS} seconds, from histograms that count
 * since the start. Thread-safe.
 */
public final class RecentLatency {
  private static final int SECONDS = 10;
  private static final double PERCENTILE = 0.99;

  private final Consumer<long[]> counts;
  private final Deque<long[]> snapshots = new ArrayDeque<>();

  private RecentLatency(Consumer<long[]> counts) {
    this.counts = counts;
  }

  /** Of decisions over HTTP and over gRPC. */
  public static RecentLatency of(HttpStats http, RlsStats rls) {
    return new RecentLatency(
        sums -> {
          http.addDecisionsTo(sums);
          rls.durations().addTo(sums);
        });
  }

  /** Ends a second; for a timer. */
  public synchronized void tick() {
    snapshots.addLast(now());
    if (snapshots.size() > SECONDS) {
      snapshots.removeFirst();
    }
  }

  private long[] now() {
    long[] sums = new long[Histogram.size()];
    counts.accept(sums);
    return sums;
  }

  /**
   * The upper bound of the bucket of the 99th percentile, in microseconds; empty without requests.
   */
  public synchronized OptionalLong p99Micros() {
    long[] recent = now();
    long[] before = snapshots.peekFirst();
    for (int i = 0; before != null && i < recent.length; i++) {
      recent[i] -= before[i];
    }
    long rank = (long) Math.ceil(PERCENTILE * Arrays.stream(recent).sum());
    long cumulative = 0;
    for (int i = 0; i < recent.length; i++) {
      cumulative += recent[i];
      if (rank > 0 && cumulative >= rank) {
        return OptionalLong.of(Histogram.boundMicros(i));
      }
    }
    return OptionalLong.empty();
  }
}
