package dev.weir.memory;

import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.algorithm.Step;
import org.jspecify.annotations.Nullable;

/**
 * One request's view of a counter: its location in {@link Rows}, and a working copy of its state.
 *
 * <p>The copy is made when the row is locked, and written back or discarded when it is unlocked. A
 * row without a location belongs to the request alone: it represents a key that is absent, or is
 * about to be added.
 */
final class Row {
  final long high;
  final long low;

  /** The limit the state was written under. */
  Limit limit;

  long level;
  long at;
  long[] log = Step.NO_LOG;

  private @Nullable Rows rows;
  private int slot;
  private long meta;

  private Row(long high, long low, Limit limit) {
    this.high = high;
    this.low = low;
    this.limit = limit;
  }

  /** A counter never used, which has no location yet. */
  static Row unplaced(LimitKey key, Limit limit) {
    return unplaced(key.high(), key.low(), limit);
  }

  static Row unplaced(long high, long low, Limit limit) {
    return new Row(high, low, limit);
  }

  /** The row of a key where it was found; {@link #lock} checks that it is still there. */
  static Row of(Rows rows, int slot, LimitKey key, Limit limit) {
    Row row = unplaced(key, limit);
    row.locate(rows, slot);
    return row;
  }

  /** The row that keys without room share. */
  static Row shared(Rows rows, Limit limit) {
    Row row = new Row(rows.high(0), rows.low(0), limit);
    row.locate(rows, 0);
    return row;
  }

  /** Sets the location of the row. */
  void locate(Rows rows, int slot) {
    this.rows = rows;
    this.slot = slot;
  }

  boolean inTable() {
    return rows != null && rows.inTable();
  }

  /** Whether this is the row that keys without room share. */
  boolean isShared() {
    return rows != null && !rows.inTable();
  }

  boolean isIn(Rows rows) {
    return this.rows == rows;
  }

  void set(long level, long at, long[] log) {
    this.level = level;
    this.at = at;
    this.log = log;
  }

  /**
   * Locks the row and copies its state; false if the key is no longer there.
   *
   * <p>It waits for the lock only while the row holds the key. Another key that has moved into the
   * slot may be locked by this very request, or by one that waits for a row this request holds.
   */
  boolean lock() {
    Rows rows = this.rows;
    for (int attempt = 0; rows != null; attempt++) {
      long meta = rows.meta(slot);
      if (!Meta.isOccupied(meta) || !rows.holds(slot, high, low)) {
        return false;
      }
      if (Meta.isFree(meta) && rows.tryLock(slot, meta)) {
        this.meta = meta;
        load();
        return true;
      }
      Spin.pause(attempt);
    }
    return true;
  }

  /** Copies the state of the locked row again. */
  void load() {
    if (rows == null) {
      set(0, 0, Step.NO_LOG);
    } else {
      Object kept = rows.keptLocked(slot);
      set(rows.level(slot), rows.at(slot), LimitAndLog.log(kept));
      limit = LimitAndLog.limit(kept);
    }
  }

  /** Unlocks as if never locked: a row that no request has used yet keeps that mark. */
  void giveUp() {
    if (rows != null) {
      rows.unlock(slot, meta);
    }
  }

  /** Unlocks, and leaves the counter as it was. */
  void unlock() {
    if (rows != null) {
      rows.unlock(slot, Meta.next(meta));
    }
  }

  /** The limit of the locked row itself, not that of the copy. */
  Limit lockedUnder() {
    return rows == null ? limit : LimitAndLog.limit(rows.keptLocked(slot));
  }

  /** The object for {@link #write}, allocated beforehand so that the write cannot fail. */
  Object toKeep() {
    return LimitAndLog.of(limit, log);
  }

  /** Writes the copy back and unlocks. */
  void write(Object kept) {
    if (rows != null) {
      rows.write(slot, level, at, kept);
      rows.unlock(slot, Meta.next(meta, limit));
    }
  }

  /** The order in which all requests lock rows, so that they do not deadlock. */
  static int compare(Row one, Row other) {
    int byHigh = Long.compare(one.high, other.high);
    int byLow = byHigh != 0 ? byHigh : Long.compare(one.low, other.low);
    return byLow != 0 ? byLow : Integer.compare(one.rank(), other.rank());
  }

  /** Distinguishes a shared row from a row of the table that has the same key. */
  private int rank() {
    return rows == null ? 0 : rows.inTable() ? 1 : 2;
  }
}
