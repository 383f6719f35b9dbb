package dev.weir.server.live;

import dev.weir.server.metrics.HttpStats;
import dev.weir.server.metrics.RlsStats;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.OptionalLong;

/**
 * The latency of the decisions of the last {@value #SECONDS} seconds, from histograms that count
 * since the start. Thread-safe.
 */
final class RecentLatency {
  private static final int SECONDS = 10;
  private static final double PERCENTILE = 0.99;

  private final HttpStats http;
  private final RlsStats rls;
  private final Deque<long[]> snapshots = new ArrayDeque<>();

  /** Of decisions over HTTP and over gRPC. */
  RecentLatency(HttpStats http, RlsStats rls) {
    this.http = http;
    this.rls = rls;
  }

  /** Ends a second; for a timer. */
  synchronized void tick() {
    snapshots.addLast(now());
    if (snapshots.size() > SECONDS) {
      snapshots.removeFirst();
    }
  }

  private long[] now() {
    long[] sums = http.decisionDurations();
    long[] more = rls.decisionDurations();
    Arrays.setAll(sums, i -> sums[i] + more[i]);
    return sums;
  }

  /**
   * The upper bound of the bucket of the 99th percentile, in microseconds; empty without requests.
   */
  synchronized OptionalLong p99Micros() {
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
        return OptionalLong.of(HttpStats.boundMicros(i));
      }
    }
    return OptionalLong.empty();
  }
}
