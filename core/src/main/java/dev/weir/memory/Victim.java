package dev.weir.memory;

import dev.weir.Limit;
import dev.weir.algorithm.Counter;

/**
 * Selects the live counter that a segment evicts, from a group that has more cells than another
 * group that needs room.
 *
 * <p>Evicting a counter forgives what was spent. So a few candidates are compared, and the choice
 * is one of the largest group, of these the one that would be as if never used soonest, and among
 * equals the least used: a counter that a flood left behind, not one at its limit. A counter that
 * is as if never used is preferred to all others, whatever its group.
 */
final class Victim {
  /** How many candidates are compared. */
  private static final int MAX_CANDIDATES = 8;

  /** How many rows are examined from the first candidate on. */
  private static final int MAX_EXAMINED = 32;

  private final Table table;
  private final Rows rows;
  private final long threshold;
  private final long nowMicros;

  private int slot = Rows.ABSENT;
  private long meta;
  private int magnitude;
  private long fullAt;
  private long used;

  Victim(Table table, Rows rows, long threshold, long nowMicros) {
    this.table = table;
    this.rows = rows;
    this.threshold = threshold;
    this.nowMicros = nowMicros;
  }

  /**
   * Finds a victim; false if there is none. The caller holds the lock of the segment.
   *
   * @param number a different one each time, so that the search starts elsewhere: where many rows
   *     were dropped, few are left
   */
  boolean findFrom(int number) {
    // A multiplicative hash spreads consecutive numbers evenly over the table.
    int from = rows.home(number * 0x9e3779b9);
    int candidates = 0;
    int examined = 0;
    for (int i = 0;
        i < rows.slots() && candidates < MAX_CANDIDATES && examined < MAX_EXAMINED;
        i++) {
      int next = from + i < rows.slots() ? from + i : from + i - rows.slots();
      candidates += consider(next) ? 1 : 0;
      examined += candidates > 0 ? 1 : 0;
    }
    return slot != Rows.ABSENT;
  }

  /** Locks the victim that was found; false if another thread uses it. */
  boolean lock() {
    return rows.tryLock(slot, meta);
  }

  int slot() {
    return slot;
  }

  /** Compares a row with the best candidate so far; false if the row is no candidate. */
  private boolean consider(int next) {
    long read = rows.meta(next);
    Object kept = rows.kept(next);
    long level = rows.level(next);
    long at = rows.at(next);
    boolean free = Meta.isFree(read) && !Meta.isPending(read) && rows.unchanged(next, read);
    if (!free || kept == null) {
      return false;
    }
    Limit limit = LimitAndLog.limit(kept);
    long[] log = LimitAndLog.log(kept);
    long held = table.held(limit);
    boolean unused = Counter.isUnused(level, at, log, limit, nowMicros);
    if (held <= threshold && !unused) {
      return false;
    }
    // Groups of about the same size count as equal.
    int itsMagnitude = unused ? Long.SIZE : Long.SIZE - Long.numberOfLeadingZeros(held);
    long itsFullAt = Counter.fullAt(level, at, log, limit);
    long itsUsed = Counter.used(level, at, log, limit, nowMicros);
    if (slot == Rows.ABSENT || isBetter(itsMagnitude, itsFullAt, itsUsed)) {
      slot = next;
      meta = read;
      magnitude = itsMagnitude;
      fullAt = itsFullAt;
      used = itsUsed;
    }
    return true;
  }

  private boolean isBetter(int itsMagnitude, long itsFullAt, long itsUsed) {
    if (itsMagnitude != magnitude) {
      return itsMagnitude > magnitude;
    }
    return itsFullAt < fullAt || (itsFullAt == fullAt && itsUsed < used);
  }
}
