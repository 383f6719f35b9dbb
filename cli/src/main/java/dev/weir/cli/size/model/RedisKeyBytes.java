package dev.weir.cli.size.model;

import dev.weir.Algorithm;
import dev.weir.Limit;
import dev.weir.redis.script.RedisKeys;

/**
 * The bytes that a counter takes in Redis, part by part.
 *
 * <p>A counter is one key with one value and a time to live. Redis keeps two hash tables, of all
 * keys and of those that expire, and a counter has an entry in both; the name is stored once. A
 * table has as many slots of 8 bytes as the next power of two: a key's part of them is between 16
 * and 32 bytes for both tables.
 *
 * @param name the name of the key, such as {@code w:{AbCdEfGhIjK}LmNoPqRsTuV}
 * @param value the state of the counter
 * @param entry the entry in the table of keys
 * @param expiry the entry in the table of times to live
 * @param cluster what a node of a cluster keeps about the slot of a key; 0 without a cluster
 */
public record RedisKeyBytes(long name, long value, long entry, long expiry, long cluster) {
  /** The entries of a value that is no list. */
  public static final long NO_ENTRIES = 0;

  private static final RedisKeys KEYS = new RedisKeys("w:");
  private static final int NAME_LENGTH = "w:{AbCdEfGhIjK}LmNoPqRsTuV".length();

  private static final long AT_AND_LEVEL = 2L * Double.BYTES;
  private static final int GRANT = 2 * Double.BYTES;
  private static final int HOLDER = 3 * Double.BYTES;

  private static final int OBJECT = 16;
  private static final int DICT_ENTRY = 24;
  private static final int SLOT = 8;
  private static final int MIN_SLOTS = 4;

  /** The longest value that shares a piece of memory with its object. */
  private static final int MAX_EMBEDDED = 44;

  /**
   * The bytes of a counter of a limit.
   *
   * @param entries the grants that a sliding log remembers, or the holders of a concurrency limit;
   *     other counters ignore it
   */
  public static RedisKeyBytes of(Limit limit, long entries, RedisBuild build, boolean cluster) {
    long entry = build.allocated(DICT_ENTRY);
    return new RedisKeyBytes(
        build.allocated(stringBytes(NAME_LENGTH)),
        object(valueLength(limit, entries), build),
        entry,
        entry,
        cluster ? build.clusterBytes() : 0);
  }

  /** The length of the value: the head of the limit, time and level, and what else is counted. */
  static long valueLength(Limit limit, long entries) {
    long fixed = KEYS.head(limit).length + AT_AND_LEVEL;
    return switch (limit.algorithm()) {
      case TOKEN_BUCKET, LEAKY_BUCKET -> fixed;
      case FIXED_WINDOW -> fixed + (limit.calendar().isPresent() ? Double.BYTES : 0);
      case SLIDING_COUNTER -> fixed + Double.BYTES; // the count of the window before
      case SLIDING_LOG -> fixed + GRANT * entries;
      case CONCURRENCY -> fixed + HOLDER * entries;
    };
  }

  /** Whether the size of a counter depends on how many requests it remembers. */
  public static boolean isList(Algorithm algorithm) {
    return algorithm == Algorithm.SLIDING_LOG || algorithm == Algorithm.CONCURRENCY;
  }

  private static long object(long length, RedisBuild build) {
    return length <= MAX_EMBEDDED
        ? build.allocated(OBJECT + 3 + length + 1)
        : build.allocated(OBJECT) + build.allocated(stringBytes(length));
  }

  /** A string with its header, which grows with it, and a zero at the end. */
  private static long stringBytes(long length) {
    int header = length < 1 << 5 ? 1 : length < 1 << 8 ? 3 : length < 1 << 16 ? 5 : 9;
    return header + length + 1;
  }

  /** The bytes of one counter, without its part of the tables. */
  public long each() {
    return name + value + entry + expiry + cluster;
  }

  /** The bytes of the slots of both tables, when they hold this many keys. */
  public static long tables(long keys) {
    return 2 * SLOT * Math.max(MIN_SLOTS, powerOfTwo(keys));
  }

  private static long powerOfTwo(long keys) {
    return keys <= 1 ? 1 : Long.highestOneBit(keys - 1) << 1;
  }
}
