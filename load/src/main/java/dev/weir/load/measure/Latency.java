package dev.weir.load.measure;

import org.HdrHistogram.AbstractHistogram;

/** Latencies in short, in microseconds; all zero if there is none. */
public record Latency(
    long count, long meanMicros, long p50Micros, long p95Micros, long p99Micros, long maxMicros) {
  /** Sums up a histogram of microseconds. */
  static Latency of(AbstractHistogram histogram) {
    if (histogram.getTotalCount() == 0) {
      return new Latency(0, 0, 0, 0, 0, 0);
    }
    return new Latency(
        histogram.getTotalCount(),
        Math.round(histogram.getMean()),
        histogram.getValueAtPercentile(50),
        histogram.getValueAtPercentile(95),
        histogram.getValueAtPercentile(99),
        histogram.getMaxValue());
  }
}
