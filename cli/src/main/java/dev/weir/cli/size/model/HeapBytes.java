package dev.weir.cli.size.model;

import dev.weir.Algorithm;
import dev.weir.Limit;

/**
 * The heap that counters take in process, with references of 4 bytes, as they are in heaps below 32
 * GiB.
 *
 * <p>The table of {@code dev.weir.memory} is cut into segments of rows of five numbers and a
 * reference. A segment that is two thirds full moves to twice as many slots as it has rows, so that
 * it is between a half and two thirds full: a key takes 66 to 88 bytes. Keys are spread over
 * segments like hashes, so that not all of them grow at once.
 */
public final class HeapBytes {
  /** The maximum number of keys by default. */
  public static final long DEFAULT_MAX_KEYS = 1_000_000;

  /** The maximum that a store accepts. */
  public static final long MAX_MAX_KEYS = 1L << 30;

  private static final int SLOT = 5 * Long.BYTES + 4;
  private static final int ARRAY_HEADER = 16;
  private static final int LIMIT_AND_LOG = 24;
  private static final int GRANT = 2 * Long.BYTES;
  private static final int HOLDER = 3 * Long.BYTES;

  private static final int BYTES_PER_CELL = 64;
  private static final int KEYS_PER_SEGMENT = 4_096;
  private static final int MAX_SEGMENTS = 1_024;
  private static final int MIN_SLOTS = 8;

  /** Sizes of a segment between which the average is taken, in standard deviations. */
  private static final int DEVIATIONS = 4;

  private static final int STEPS = 64;

  private HeapBytes() {}

  /** The bytes of the log of a counter, which is beside the table; 0 if it has none. */
  public static long log(Limit limit, long entries) {
    if (entries == 0 || !RedisKeyBytes.isList(limit.algorithm())) {
      return 0;
    }
    int entry = limit.algorithm() == Algorithm.CONCURRENCY ? HOLDER : GRANT;
    return LIMIT_AND_LOG + ARRAY_HEADER + entry * entries;
  }

  /** What a counter of this limit counts for in {@code --max-keys}: as much as a full log takes. */
  public static long cells(Limit limit) {
    return 1 + log(limit, limit.permits()) / BYTES_PER_CELL;
  }

  /**
   * The bytes of a table that holds this many keys.
   *
   * @param maxKeys how many it has room for
   */
  public static double table(long keys, long maxKeys) {
    long wanted = Math.max(1, maxKeys / KEYS_PER_SEGMENT);
    long segments = Long.highestOneBit(Math.min(MAX_SEGMENTS, wanted));
    double mean = (double) keys / segments;
    double deviation = Math.sqrt(mean);
    double slots = 0;
    double weights = 0;
    for (int i = -STEPS; i <= STEPS; i++) {
      double z = (double) i * DEVIATIONS / STEPS;
      double weight = Math.exp(-z * z / 2);
      slots += weight * slots(Math.round(Math.max(0, mean + z * deviation)));
      weights += weight;
    }
    return segments * (SLOT * slots / weights + 2 * ARRAY_HEADER);
  }

  /** The slots of a segment that has grown to this many rows. */
  static long slots(long rows) {
    long slots = MIN_SLOTS;
    while (rows > 2 * slots / 3) {
      slots = 2 * (2 * slots / 3 + 1);
    }
    return slots;
  }
}
