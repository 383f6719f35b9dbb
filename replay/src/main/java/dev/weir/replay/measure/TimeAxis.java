package dev.weir.replay.measure;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Buckets of time for any number of series, at most {@value #MAX_BUCKETS}: whenever the log gets
 * longer than that, two buckets become one. Not safe for use by several threads.
 */
public final class TimeAxis {
  /** The maximum number of buckets. */
  public static final int MAX_BUCKETS = 600;

  private static final long SECOND_MICROS = 1_000_000;

  private final List<long[]> series = new ArrayList<>();
  private long startMicros = Long.MIN_VALUE;
  private long bucketMicros = SECOND_MICROS;
  private int used;

  /** A new series of counts; add to it at {@link #bucket}. */
  public long[] newSeries() {
    long[] counts = new long[MAX_BUCKETS];
    series.add(counts);
    return counts;
  }

  /** The index of the bucket of a moment, for all series. Moments before the first belong to it. */
  public int bucket(long micros) {
    if (startMicros == Long.MIN_VALUE) {
      startMicros = Math.floorDiv(micros, SECOND_MICROS) * SECOND_MICROS;
    }
    long index = Math.max(0, (micros - startMicros) / bucketMicros);
    while (index >= MAX_BUCKETS) {
      widen();
      index = (micros - startMicros) / bucketMicros;
    }
    used = Math.max(used, (int) index + 1);
    return (int) index;
  }

  private void widen() {
    bucketMicros *= 2;
    used = (used + 1) / 2;
    for (long[] counts : series) {
      for (int i = 0; i < MAX_BUCKETS / 2; i++) {
        counts[i] = counts[2 * i] + counts[2 * i + 1];
      }
      Arrays.fill(counts, MAX_BUCKETS / 2, MAX_BUCKETS, 0);
    }
  }

  /** When the first bucket begins; 0 if nothing happened. */
  public long startMicros() {
    return startMicros == Long.MIN_VALUE ? 0 : startMicros;
  }

  /** How wide a bucket is. */
  public long bucketMicros() {
    return bucketMicros;
  }

  /** The buckets of a series that are in use. */
  public List<Long> used(long[] counts) {
    List<Long> all = new ArrayList<>(used);
    for (int i = 0; i < used; i++) {
      all.add(counts[i]);
    }
    return all;
  }
}
