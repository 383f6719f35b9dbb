package dev.weir.replay.result;

import java.util.List;

/**
 * Counts over time, in at most 600 buckets of equal width.
 *
 * @param startMicros when the first bucket begins, in microseconds since 1970
 * @param bucketMicros how wide a bucket is
 * @param counts one for each bucket
 */
public record Timeline(long startMicros, long bucketMicros, List<Long> counts) {
  /** Copies the list. */
  public Timeline {
    counts = List.copyOf(counts);
  }
}
