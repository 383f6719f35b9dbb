package dev.weir.server.exposition;

/** The counts of a histogram of durations at one moment. Immutable. */
public final class Buckets {
  private final long[] boundsMicros;
  private final long[] counts;
  private final long sumMicros;

  /**
   * @param counts one more than there are bounds: the last is for what exceeds all of them
   */
  Buckets(long[] boundsMicros, long[] counts, long sumMicros) {
    this.boundsMicros = boundsMicros;
    this.counts = counts;
    this.sumMicros = sumMicros;
  }

  /** The number of bounds. */
  public int bounds() {
    return boundsMicros.length;
  }

  /** The longest duration, in microseconds, that a bucket counts. */
  public long boundMicros(int bucket) {
    return boundsMicros[bucket];
  }

  /**
   * The durations in one bucket alone.
   *
   * @param bucket from 0 to {@link #bounds()}, where the last is for what exceeds all bounds
   */
  public long count(int bucket) {
    return counts[bucket];
  }

  /** The durations in all buckets. */
  public long count() {
    long all = 0;
    for (long count : counts) {
      all += count;
    }
    return all;
  }

  /** The sum of all durations, in microseconds. */
  public long sumMicros() {
    return sumMicros;
  }
}
