package dev.weir.memory;

import dev.weir.Limit;
import dev.weir.LimitKey;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * All live cells, found without a lock and bounded in number.
 *
 * <p>Keys are spread over segments; each grows, and forgets what has expired, by itself. The bound
 * is one number for the whole table, counted in cells: a cell whose log may grow long counts for
 * the cells that would fit into the memory of that log.
 */
final class CellTable {
  private static final int KEYS_PER_SEGMENT = 2_048;
  private static final int MAX_SEGMENTS = 1_024;
  private static final int BYTES_PER_CELL = 64;

  private final Segment[] segments;
  private final int segmentShift;
  private final long maxCells;
  private final AtomicLong cells = new AtomicLong();

  CellTable(long maxCells) {
    this.maxCells = maxCells;
    long wanted = Math.min(MAX_SEGMENTS, Math.max(1, maxCells / KEYS_PER_SEGMENT));
    int count = Integer.highestOneBit((int) wanted);
    this.segments = new Segment[count];
    this.segmentShift = Long.SIZE - Integer.numberOfTrailingZeros(count);
    for (int i = 0; i < count; i++) {
      segments[i] = new Segment(this);
    }
  }

  @Nullable Cell find(long high, long low) {
    long hash = hash(high, low);
    return segment(hash).find(slotHash(hash), high, low);
  }

  /**
   * Adds {@code fresh} unless its key is there already.
   *
   * @return the cell now in the table for that key, or null if there is no room for it
   */
  @Nullable Cell add(Cell fresh, long nowMicros) {
    long hash = hash(fresh.high, fresh.low);
    return segment(hash).add(slotHash(hash), fresh, nowMicros);
  }

  /** Drops the cell of a key if it is as if never used. */
  void drop(long high, long low, long nowMicros) {
    long hash = hash(high, low);
    segment(hash).drop(slotHash(hash), high, low, nowMicros);
  }

  /** Drops what has expired, one segment at a time. */
  void trim(long nowMicros) {
    for (Segment segment : segments) {
      segment.trim(nowMicros);
    }
  }

  long size() {
    long size = 0;
    for (Segment segment : segments) {
      size += segment.size();
    }
    return size;
  }

  boolean reserve(Limit limit) {
    long weight = weight(limit);
    if (cells.addAndGet(weight) <= maxCells) {
      return true;
    }
    cells.addAndGet(-weight);
    return false;
  }

  /** Whether a cell of this limit would find room, where the key belongs. */
  boolean hasRoom(LimitKey key, Limit limit, long nowMicros) {
    if (isFull(limit)) {
      segment(hash(key.high(), key.low())).makeRoom(nowMicros);
    }
    return !isFull(limit);
  }

  /** Whether there is no room for a cell of this limit, unless one expires. */
  boolean isFull(Limit limit) {
    return cells.get() + weight(limit) > maxCells;
  }

  void release(Limit limit) {
    cells.addAndGet(-weight(limit));
  }

  /** Accounts for a locked cell whose limit has changed. */
  void reweigh(Cell cell, Limit from, Limit to) {
    if (cell.inTable() && weight(from) != weight(to)) {
      cells.addAndGet(weight(to) - weight(from));
    }
  }

  /** How many cells of the bound a cell of this limit takes up. */
  static long weight(Limit limit) {
    return switch (limit.algorithm()) {
      case SLIDING_LOG -> 1 + 2 * Long.BYTES * limit.permits() / BYTES_PER_CELL;
      case CONCURRENCY -> 1 + 3 * Long.BYTES * limit.permits() / BYTES_PER_CELL;
      default -> 1;
    };
  }

  private Segment segment(long hash) {
    return segments.length == 1 ? segments[0] : segments[(int) (hash >>> segmentShift)];
  }

  /** Keys are hashes already, but nobody is obliged to make them well. */
  static long hash(long high, long low) {
    long hash = (high ^ (low * 0xd6e8feb86659fd93L)) * 0x9e3779b97f4a7c15L;
    hash ^= hash >>> 32;
    return hash * 0xd6e8feb86659fd93L;
  }

  /** The topmost bits choose the segment, the ones below the slot. */
  static int slotHash(long hash) {
    return (int) (hash >>> 22);
  }
}
