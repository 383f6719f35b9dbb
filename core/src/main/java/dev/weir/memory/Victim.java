package dev.weir.memory;

import dev.weir.Limit;
import dev.weir.algorithm.Counter;

/**
 * Whom a segment drops though it lives, because its group has more of the room than another that
 * needs some.
 *
 * <p>To drop a counter forgives what was spent. So it looks at a few and takes one of the group
 * that has the most, of these the one that would be as if never used soonest, and of those that
 * would be at the same time the one least used: those that a flood leaves behind, not those at
 * their limits. One that is as if never used goes before all others, whosever it is.
 */
final class Victim {
  /** So many of those that may go are compared. */
  private static final int CANDIDATES = 8;

  /** So many rows are looked at after the first that may go. */
  private static final int LOOKS = 32;

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
   * Finds one, for whoever holds the lock of the segment; false if there is none.
   *
   * @param number another one each time, to look elsewhere: where many were dropped, few are left
   */
  boolean findFrom(int number) {
    // As evenly over the table as can be, wherever it stops.
    int from = rows.home(number * 0x9e3779b9);
    int candidates = 0;
    int looks = 0;
    for (int i = 0; i < rows.slots() && candidates < CANDIDATES && looks < LOOKS; i++) {
      int next = from + i < rows.slots() ? from + i : from + i - rows.slots();
      candidates += consider(next) ? 1 : 0;
      looks += candidates > 0 ? 1 : 0;
    }
    return slot != Rows.ABSENT;
  }

  /** Locks the one that was found; false if somebody uses it. */
  boolean lock() {
    return rows.tryLock(slot, meta);
  }

  int slot() {
    return slot;
  }

  /** Whether it may go. */
  private boolean consider(int next) {
    long read = rows.meta(next);
    Object kept = rows.kept(next);
    long level = rows.level(next);
    long at = rows.at(next);
    boolean free = Meta.isFree(read) && !Meta.isUnborn(read) && rows.unchanged(next, read);
    if (!free || kept == null) {
      return false;
    }
    Limit limit = Kept.limit(kept);
    long[] log = Kept.log(kept);
    long held = table.held(limit);
    boolean unused = Counter.isUnused(level, at, log, limit, nowMicros);
    if (held <= threshold && !unused) {
      return false;
    }
    // Groups of about the same size are alike.
    int itsMagnitude = unused ? Long.SIZE : Long.SIZE - Long.numberOfLeadingZeros(held);
    long itsFullAt = Counter.fullAt(level, at, log, limit);
    long itsUsed = Counter.used(level, at, log, limit, nowMicros);
    if (slot == Rows.ABSENT || isRather(itsMagnitude, itsFullAt, itsUsed)) {
      slot = next;
      meta = read;
      magnitude = itsMagnitude;
      fullAt = itsFullAt;
      used = itsUsed;
    }
    return true;
  }

  private boolean isRather(int itsMagnitude, long itsFullAt, long itsUsed) {
    if (itsMagnitude != magnitude) {
      return itsMagnitude > magnitude;
    }
    return itsFullAt < fullAt || (itsFullAt == fullAt && itsUsed < used);
  }
}
