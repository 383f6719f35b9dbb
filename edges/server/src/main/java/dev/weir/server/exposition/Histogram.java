package dev.weir.server.exposition;

import java.util.concurrent.atomic.LongAdder;

/** A histogram of durations with fixed buckets. Thread-safe. */
public final class Histogram {
  /** Fine buckets where decisions are usual, and the default ones of Prometheus clients above. */
  private static final long[] BOUNDS_MICROS = {
    50,
    100,
    250,
    500,
    1_000,
    2_500,
    5_000,
    10_000,
    25_000,
    50_000,
    100_000,
    250_000,
    500_000,
    1_000_000,
    2_500_000,
    5_000_000,
    10_000_000
  };

  private final LongAdder[] counts = new LongAdder[BOUNDS_MICROS.length + 1];
  private final LongAdder sumMicros = new LongAdder();

  /** Starts empty. */
  public Histogram() {
    for (int i = 0; i < counts.length; i++) {
      counts[i] = new LongAdder();
    }
  }

  /** Counts one duration. */
  public void add(long micros) {
    int at = 0;
    while (at < BOUNDS_MICROS.length && micros > BOUNDS_MICROS[at]) {
      at++;
    }
    counts[at].increment();
    sumMicros.add(Math.max(0, micros));
  }

  /** Whether nothing was counted yet. */
  public boolean isEmpty() {
    for (LongAdder count : counts) {
      if (count.sum() > 0) {
        return false;
      }
    }
    return true;
  }

  /** Adds the counts of the buckets to others. */
  public void addTo(long[] sums) {
    for (int i = 0; i < counts.length; i++) {
      sums[i] += counts[i].sum();
    }
  }

  /** The number of buckets, with the one for what exceeds all bounds. */
  public static int size() {
    return BOUNDS_MICROS.length + 1;
  }

  /** The upper bound of a bucket; that of the last one, which has none, is the one before. */
  public static long boundMicros(int bucket) {
    return BOUNDS_MICROS[Math.min(bucket, BOUNDS_MICROS.length - 1)];
  }

  /** The counts so far. */
  public Buckets buckets() {
    long[] now = new long[counts.length];
    for (int i = 0; i < now.length; i++) {
      now[i] = counts[i].sum();
    }
    return new Buckets(BOUNDS_MICROS, now, sumMicros.sum());
  }
}
