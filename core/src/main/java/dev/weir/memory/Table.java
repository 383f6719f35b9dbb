package dev.weir.memory;

import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.memory.Segment.Added;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * All live counters, found without a lock and bounded in number.
 *
 * <p>Keys are spread over segments; each segment grows, and drops expired rows, independently. The
 * bound is one number for the whole table, counted in cells: a counter whose log may grow long
 * counts for the cells that would fit into the memory of that log. When the table is full, {@link
 * FairShares} decides which group may evict from which.
 */
final class Table {
  private static final int KEYS_PER_SEGMENT = 4_096;
  private static final int MAX_SEGMENTS = 1_024;
  private static final int BYTES_PER_CELL = 64;

  private static final VarHandle ROWS = MethodHandles.arrayElementVarHandle(Rows[].class);

  /** The current rows of each segment, so that a search does not touch the segment. */
  private final Rows[] rows;

  private final Segment[] segments;
  private final int segmentShift;
  private final long maxCells;
  private final AtomicLong cells = new AtomicLong();
  private final FairShares shares;
  private final ReentrantLock evicting = new ReentrantLock();
  private final LongAdder evicted = new LongAdder();

  Table(long maxCells) {
    this.maxCells = maxCells;
    this.shares = new FairShares(maxCells);
    long wanted = Math.min(MAX_SEGMENTS, Math.max(1, maxCells / KEYS_PER_SEGMENT));
    int count = Integer.highestOneBit((int) wanted);
    this.rows = new Rows[count];
    this.segments = new Segment[count];
    this.segmentShift = Long.SIZE - 1 - Integer.numberOfTrailingZeros(count);
    for (int i = 0; i < count; i++) {
      segments[i] = new Segment(this, i);
    }
  }

  /** The rows that hold a key with this hash, if any do. */
  Rows rows(long hash) {
    return (Rows) ROWS.getAcquire(rows, index(hash));
  }

  /** The rows to search next after an inconclusive search in {@code seen}. */
  Rows rowsAfter(Rows seen, long hash) {
    Rows successor = seen.successor();
    return successor != null ? successor : rows(hash);
  }

  void publish(int segment, Rows current) {
    ROWS.setRelease(rows, segment, current);
  }

  /** The row of a key, or null; {@code limit} is the one under which the request will count. */
  @Nullable Row find(LimitKey key, Limit limit) {
    long hash = hash(key.high(), key.low());
    Rows rows = rows(hash);
    for (int attempt = 0; ; attempt++) {
      int slot = rows.find(slotHash(hash), key.high(), key.low());
      if (slot != Rows.MOVING) {
        return slot == Rows.ABSENT ? null : Row.of(rows, slot, key, limit);
      }
      Spin.pause(attempt);
      rows = rowsAfter(rows, hash);
    }
  }

  /**
   * Adds {@code row} unless its key is there already.
   *
   * @param pending whether a request has yet to use it, and it must not be dropped before
   */
  Added add(Row row, boolean pending, long nowMicros) {
    long hash = hash(row.high, row.low);
    int index = index(hash);
    Added added = segments[index].add(slotHash(hash), row, pending, false, nowMicros);
    if (added != Added.FULL || !evict(row.limit, index, nowMicros)) {
      return added;
    }
    added = segments[index].add(slotHash(hash), row, pending, true, nowMicros);
    if (added == Added.PRESENT) {
      release(row.limit);
    }
    return added;
  }

  /**
   * Makes and reserves room for a counter at the cost of groups that have more cells; false if
   * there is no such group.
   *
   * <p>Evictions run one at a time: otherwise a thread could see a group above its share that
   * another thread has just reduced, and find no victim.
   */
  private boolean evict(Limit limit, int first, long nowMicros) {
    // Groups above their share, such as a flood, do not wait for the lock.
    if (!shares.isWithin(limit, weight(limit)) && !canEvict(limit)) {
      return false;
    }
    evicting.lock();
    try {
      return evictLocked(limit, first, nowMicros);
    } finally {
      evicting.unlock();
    }
  }

  /** Evicted cells pass to the caller without becoming free, so no other thread can take them. */
  private boolean evictLocked(Limit limit, int first, long nowMicros) {
    long room = 0;
    int segment = first;
    int without = 0;
    while (!reserve(limit, room)) {
      long threshold = shares.threshold(limit, weight(limit));
      if (without == segments.length || !shares.anyAbove(threshold)) {
        cells.addAndGet(-room);
        return false;
      }
      // Another segment each time, so that a counter that needs many cells empties none.
      segment = segment + 1 == segments.length ? 0 : segment + 1;
      long freed = segments[segment].evict(threshold, nowMicros);
      room += freed;
      without = freed > 0 ? 0 : without + 1;
    }
    return true;
  }

  private boolean canEvict(Limit limit) {
    return shares.anyAbove(shares.threshold(limit, weight(limit)));
  }

  /** How many cells the group of this limit occupies. */
  long held(Limit limit) {
    return shares.held(limit);
  }

  /** Counts an eviction of a live counter. */
  void countEvicted() {
    evicted.increment();
  }

  /** How many live counters were evicted. */
  long evicted() {
    return evicted.sum();
  }

  /** Drops the row of a key if it is as if never used. */
  void drop(LimitKey key, long nowMicros) {
    long hash = hash(key.high(), key.low());
    segments[index(hash)].drop(slotHash(hash), key.high(), key.low(), nowMicros);
  }

  /** Drops expired rows, one segment at a time. */
  void trim(long nowMicros) {
    for (Segment segment : segments) {
      segment.trim(nowMicros);
    }
  }

  /** How many cells there are. */
  long maxCells() {
    return maxCells;
  }

  /** How many cells are occupied. */
  long cells() {
    return cells.get();
  }

  long size() {
    long size = 0;
    for (Segment segment : segments) {
      size += segment.size();
    }
    return size;
  }

  /** Reserves room for a counter of this limit; false if there is too little. */
  boolean reserve(Limit limit) {
    return reserve(limit, 0);
  }

  /** Reserves room for a counter of this limit, of which the caller has some cells in hand. */
  private boolean reserve(Limit limit, long cellsInHand) {
    long weight = weight(limit);
    while (true) {
      long before = cells.get();
      long after = before + weight - cellsInHand;
      if (after > maxCells) {
        return false;
      }
      if (cells.compareAndSet(before, after)) {
        shares.add(limit, weight);
        return true;
      }
    }
  }

  /** Whether a counter of this limit and key would find room. */
  boolean hasRoom(LimitKey key, Limit limit, long nowMicros) {
    if (isFull(limit)) {
      segments[index(hash(key.high(), key.low()))].makeRoom(nowMicros);
    }
    return !isFull(limit) || canEvict(limit);
  }

  /** Whether there is no room for a counter of this limit until another one expires. */
  boolean isFull(Limit limit) {
    return cells.get() + weight(limit) > maxCells;
  }

  /** Frees the cells of a counter of this limit. */
  void release(Limit limit) {
    cells.addAndGet(-handOver(limit));
  }

  /** Transfers the cells of a counter of this limit from its group to the caller. */
  long handOver(Limit limit) {
    long weight = weight(limit);
    shares.remove(limit, weight);
    return weight;
  }

  /** Accounts for a locked row whose limit is about to change. */
  void reweigh(Row row) {
    Limit before = row.lockedUnder();
    long change = weight(row.limit) - weight(before);
    if (!row.inTable() || (change == 0 && row.limit.group() == before.group())) {
      return;
    }
    cells.addAndGet(change);
    shares.add(row.limit, weight(row.limit));
    shares.remove(before, weight(before));
  }

  /** How many cells a counter of this limit occupies. */
  static long weight(Limit limit) {
    return switch (limit.algorithm()) {
      case SLIDING_LOG -> 1 + 2 * Long.BYTES * limit.permits() / BYTES_PER_CELL;
      case CONCURRENCY -> 1 + 3 * Long.BYTES * limit.permits() / BYTES_PER_CELL;
      default -> 1;
    };
  }

  /** Shifts in two steps, because a shift by 64 would have no effect. */
  private int index(long hash) {
    return (int) (hash >>> 1 >>> segmentShift);
  }

  /** Hashes the key again: keys should be hashes already, but callers may make them badly. */
  static long hash(long high, long low) {
    long hash = (high ^ (low * 0xd6e8feb86659fd93L)) * 0x9e3779b97f4a7c15L;
    hash ^= hash >>> 32;
    return hash * 0xd6e8feb86659fd93L;
  }

  /** The topmost bits choose the segment, the ones below the slot. */
  static int slotHash(long hash) {
    return (int) (hash >>> 22);
  }

  static int slotHash(long high, long low) {
    return slotHash(hash(high, low));
  }
}
