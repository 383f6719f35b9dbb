package dev.weir.server.metrics;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;

/** A histogram of durations with fixed buckets. Thread-safe. */
final class Histogram {
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

  Histogram() {
    for (int i = 0; i < counts.length; i++) {
      counts[i] = new LongAdder();
    }
  }

  void add(long micros) {
    int at = 0;
    while (at < BOUNDS_MICROS.length && micros > BOUNDS_MICROS[at]) {
      at++;
    }
    counts[at].increment();
    sumMicros.add(Math.max(0, micros));
  }

  /** Adds the counts of the buckets to others. */
  void addTo(long[] sums) {
    for (int i = 0; i < counts.length; i++) {
      sums[i] += counts[i].sum();
    }
  }

  static int buckets() {
    return BOUNDS_MICROS.length + 1;
  }

  /** The upper bound of a bucket; that of the last one, which has none, is the one before. */
  static long boundMicros(int bucket) {
    return BOUNDS_MICROS[Math.min(bucket, BOUNDS_MICROS.length - 1)];
  }

  boolean isEmpty() {
    for (LongAdder count : counts) {
      if (count.sum() > 0) {
        return false;
      }
    }
    return true;
  }

  /** Writes the samples into the current family, whose unit is seconds. */
  void write(Exposition out, String... labels) {
    long cumulative = 0;
    for (int i = 0; i < counts.length; i++) {
      cumulative += counts[i].sum();
      String bound = i < BOUNDS_MICROS.length ? seconds(BOUNDS_MICROS[i]) : "+Inf";
      out.part("_bucket", Long.toString(cumulative), with(labels, "le", bound));
    }
    out.part("_sum", seconds(sumMicros.sum()), labels);
    out.part("_count", Long.toString(cumulative), labels);
  }

  private static String[] with(String[] labels, String name, String value) {
    String[] more = Arrays.copyOf(labels, labels.length + 2);
    more[labels.length] = name;
    more[labels.length + 1] = value;
    return more;
  }

  private static String seconds(long micros) {
    return BigDecimal.valueOf(micros, 6).stripTrailingZeros().toPlainString();
  }
}
