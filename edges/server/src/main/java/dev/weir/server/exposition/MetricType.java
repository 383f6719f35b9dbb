package dev.weir.server.exposition;

/** How a family of metrics is to be read. */
public enum MetricType {
  /** A count that only grows. */
  COUNTER,
  /** A value that goes up and down. */
  GAUGE,
  /** Durations in buckets. */
  HISTOGRAM
}
