package dev.weir.server.telemetry;

import dev.weir.server.exposition.MetricSink;

/**
 * Sends what a server measures to a collector. Safe for use by any number of threads; nobody who
 * adds a span waits.
 */
public interface Export extends AutoCloseable {
  /** Begins to send; called once, when all metrics are registered. */
  void start();

  /** Takes a span that has ended, or drops it if too many wait. */
  void add(Span span);

  /** Writes the metrics of the export itself. */
  void writeMetrics(MetricSink out);

  /** Sends what waits, for a few seconds at most, and ends. */
  @Override
  void close();
}
