package dev.weir.load.measure;

import java.util.EnumMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;

/**
 * Counts requests and their outcomes, in all and by second.
 *
 * <p>Used by one thread. Times are nanoseconds since the start of the run; latencies count from the
 * time at which a request was due.
 */
public final class Recorder {
  private static final int SIGNIFICANT_DIGITS = 3;

  private final Map<Outcome, Histogram> latencies = new EnumMap<>(Outcome.class);
  private final SortedMap<Integer, Long> statuses = new TreeMap<>();
  private final SecondCounter seconds;
  private final Histogram delays = new Histogram(SIGNIFICANT_DIGITS);
  private long offered;
  private long notSent;

  /**
   * Creates a recorder for one run.
   *
   * @param listener gets each second that is over
   */
  public Recorder(Consumer<Second> listener) {
    seconds = new SecondCounter(listener);
  }

  /** Counts a request that is due, and how late it is sent. */
  public void onOffer(long dueNanos, long nowNanos) {
    offered++;
    delays.recordValue(micros(nowNanos - dueNanos));
    seconds.onOffer(nowNanos);
  }

  /** Counts the answer to a request. */
  public void onAnswer(int status, boolean retryAfter, long dueNanos, long nowNanos) {
    statuses.merge(status, 1L, Long::sum);
    onOutcome(Outcome.ofStatus(status, retryAfter), dueNanos, nowNanos);
  }

  /** Counts the end of a request. */
  public void onOutcome(Outcome outcome, long dueNanos, long nowNanos) {
    long latencyMicros = micros(nowNanos - dueNanos);
    if (outcome.hasLatency()) {
      latencies(outcome).recordValue(latencyMicros);
    } else {
      notSent++;
    }
    seconds.onOutcome(outcome, latencyMicros, nowNanos);
  }

  private Histogram latencies(Outcome outcome) {
    return latencies.computeIfAbsent(outcome, first -> new Histogram(SIGNIFICANT_DIGITS));
  }

  private static long micros(long nanos) {
    return Math.max(0, TimeUnit.NANOSECONDS.toMicros(nanos));
  }

  /** Closes the seconds that are over. */
  public void advance(long nowNanos) {
    seconds.advance(nowNanos);
  }

  /**
   * The result.
   *
   * @param offerNanos how long requests were offered
   */
  public LoadResult finish(long offerNanos, long nowNanos) {
    Map<Outcome, Long> outcomes = new EnumMap<>(Outcome.class);
    latencies.forEach((outcome, histogram) -> outcomes.put(outcome, histogram.getTotalCount()));
    outcomes.put(Outcome.NOT_SENT, notSent);
    Histogram admitted = new Histogram(SIGNIFICANT_DIGITS);
    for (Outcome outcome : Outcome.values()) {
      if (outcome.isAdmitted()) {
        admitted.add(latencies(outcome));
      }
    }
    return new LoadResult(
        offerNanos,
        new LoadResult.Counts(offered, outcomes, statuses),
        new Distribution(admitted),
        Latency.of(latencies(Outcome.LIMITED)),
        Latency.of(delays),
        seconds.finish(nowNanos));
  }
}
