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
 * <p>Keys are spread over segments; each grows, and forgets what has expired, by itself. The bound
 * is one number for the whole table, counted in cells: a counter whose log may grow long counts for
 * the cells that would fit into the memory of that log. Where that is reached, {@link FairShares}
 * says who may have a place of whom.
 */
final class Table {
  private static final int KEYS_PER_SEGMENT = 4_096;
  private static final int MAX_SEGMENTS = 1_024;
  private static final int BYTES_PER_CELL = 64;

  private static final VarHandle ROWS = MethodHandles.arrayElementVarHandle(Rows[].class);

  /** The rows of each segment as they are now, to find a key without touching the segment. */
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

  /** The rows in which a key with this hash is, if it is anywhere. */
  Rows rows(long hash) {
    return (Rows) ROWS.getAcquire(rows, index(hash));
  }

  /** Where to look next if a search in {@code seen} came to nothing. */
  Rows rowsAfter(Rows seen, long hash) {
    Rows successor = seen.successor();
    return successor != null ? successor : rows(hash);
  }

  void publish(int segment, Rows current) {
    ROWS.setRelease(rows, segment, current);
  }

  /** The row of a key, or null; {@code limit} is what the request will count by. */
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
   * @param unborn whether a request has yet to use it, and it must not be dropped before
   */
  Added add(Row row, boolean unborn, long nowMicros) {
    long hash = hash(row.high, row.low);
    int index = index(hash);
    Added added = segments[index].add(slotHash(hash), row, unborn, false, nowMicros);
    if (added != Added.FULL || !evict(row.limit, index, nowMicros)) {
      return added;
    }
    added = segments[index].add(slotHash(hash), row, unborn, true, nowMicros);
    if (added == Added.PRESENT) {
      release(row.limit);
    }
    return added;
  }

  /**
   * Makes and reserves room for a counter at the cost of groups that have more of it; false if
   * there is none.
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

  /** Evicted room passes to the caller without becoming free, so no other thread can take it. */
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
      // Each time another one, so that no segment is emptied for a counter that needs much room.
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

  /** How many cells the group of this limit takes up. */
  long held(Limit limit) {
    return shares.held(limit);
  }

  /** Notes that a live counter had to make room. */
  void countEvicted() {
    evicted.increment();
  }

  /** How many live counters had to make room. */
  long evicted() {
    return evicted.sum();
  }

  /** Drops the row of a key if it is as if never used. */
  void drop(LimitKey key, long nowMicros) {
    long hash = hash(key.high(), key.low());
    segments[index(hash)].drop(slotHash(hash), key.high(), key.low(), nowMicros);
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

  /** Reserves room for a counter of this limit; false if there is too little. */
  boolean reserve(Limit limit) {
    return reserve(limit, 0);
  }

  /** Reserves room for a counter of this limit, for which the caller has so many cells already. */
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

  /** Whether a counter of this limit would find room, where the key belongs. */
  boolean hasRoom(LimitKey key, Limit limit, long nowMicros) {
    if (isFull(limit)) {
      segments[index(hash(key.high(), key.low()))].makeRoom(nowMicros);
    }
    return !isFull(limit) || canEvict(limit);
  }

  /** Whether there is no room for a counter of this limit, unless one expires. */
  boolean isFull(Limit limit) {
    return cells.get() + weight(limit) > maxCells;
  }

  /** Frees the room of a counter of this limit. */
  void release(Limit limit) {
    cells.addAndGet(-handOver(limit));
  }

  /** Takes the room of a counter of this limit from its group, for the caller: so many cells. */
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

  /** How many cells of the bound a counter of this limit takes up. */
  static long weight(Limit limit) {
    return switch (limit.algorithm()) {
      case SLIDING_LOG -> 1 + 2 * Long.BYTES * limit.permits() / BYTES_PER_CELL;
      case CONCURRENCY -> 1 + 3 * Long.BYTES * limit.permits() / BYTES_PER_CELL;
      default -> 1;
    };
  }

  /** Shifted in two steps, because a shift by 64 would be none. */
  private int index(long hash) {
    return (int) (hash >>> 1 >>> segmentShift);
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

  static int slotHash(long high, long low) {
    return slotHash(hash(high, low));
  }
}
