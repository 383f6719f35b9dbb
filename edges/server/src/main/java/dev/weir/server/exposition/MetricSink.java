package dev.weir.server.exposition;

/**
 * Receives metric families and their samples, whatever the format in which they leave the server.
 *
 * <p>A page of metrics names a family first, by its name in Prometheus, and then gives its samples.
 * An implementation is used by one thread.
 */
public interface MetricSink {
  /**
   * Begins a family, to which all samples until the next one belong.
   *
   * @param name in the conventions of Prometheus: underscores, the unit, {@code _total} for counts
   */
  MetricSink family(String name, MetricType type, String help);

  /**
   * Adds a sample.
   *
   * @param labels alternating names and values; a label with an empty value is left out
   */
  MetricSink sample(long value, String... labels);

  /** Adds a sample of a count that may be too large to be exact. */
  default MetricSink sample(double value, String... labels) {
    return sample((long) value, labels);
  }

  /** Adds a sample of a family whose unit is seconds. */
  MetricSink seconds(long micros, String... labels);

  /** Adds the sample of a histogram, whose unit is seconds. */
  MetricSink histogram(Buckets buckets, String... labels);
}
