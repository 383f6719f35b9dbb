package dev.weir.load.measure;

import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * What became of the requests of a run.
 *
 * @param offerNanos how long requests were offered; answers may have come later
 * @param counts how many, by outcome and by status
 * @param admitted latencies of the requests that nobody turned away, failed ones included
 * @param limited latencies of the answers with 429
 * @param sendDelay how late requests were sent; part of their latency
 * @param seconds the run by second
 */
public record LoadResult(
    long offerNanos,
    Counts counts,
    Distribution admitted,
    Latency limited,
    Latency sendDelay,
    List<Second> seconds) {
  /** Copies the list. */
  public LoadResult {
    seconds = List.copyOf(seconds);
  }

  /**
   * Numbers of requests.
   *
   * @param offered how many were due; the sum of all outcomes
   * @param outcomes how many ended so
   * @param statuses how many were answered with this status
   */
  public record Counts(long offered, Map<Outcome, Long> outcomes, Map<Integer, Long> statuses) {
    /** Copies the maps. */
    public Counts {
      outcomes = Collections.unmodifiableMap(new EnumMap<>(outcomes));
      SortedMap<Integer, Long> sorted = new TreeMap<>(statuses);
      statuses = Collections.unmodifiableMap(sorted);
    }

    /** The number of requests with an outcome. */
    public long of(Outcome outcome) {
      return outcomes.getOrDefault(outcome, 0L);
    }

    /** Requests that nobody turned away. */
    public long admitted() {
      return offered - of(Outcome.LIMITED) - of(Outcome.SHED);
    }

    /** Admitted requests that were not useful. */
    public long failures() {
      return admitted() - of(Outcome.OK);
    }
  }

  /** Requests per second that were offered. */
  public long offeredPerSecond() {
    return perSecond(counts.offered());
  }

  /** Requests per second that were answered well and in time. */
  public long usefulPerSecond() {
    return perSecond(counts.of(Outcome.OK));
  }

  private long perSecond(long count) {
    return offerNanos == 0 ? 0 : Math.round(count / (offerNanos / 1e9));
  }

  /** How long requests were offered, in milliseconds. */
  public long offerMillis() {
    return TimeUnit.NANOSECONDS.toMillis(offerNanos);
  }
}
