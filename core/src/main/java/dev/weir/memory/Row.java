package dev.weir.memory;

import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.algorithm.Step;
import org.jspecify.annotations.Nullable;

/**
 * A counter in the hands of one request: where it stands, and a copy of its state to work on.
 *
 * <p>The copy is made when the row is locked and written back when it is unlocked, or not. A row
 * without a place in {@link Rows} belongs to the request alone: it stands in for a key that is
 * absent, or is about to be added.
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

  /** A counter never used, which has no place yet. */
  static Row unplaced(LimitKey key, Limit limit) {
    return unplaced(key.high(), key.low(), limit);
  }

  static Row unplaced(long high, long low, Limit limit) {
    return new Row(high, low, limit);
  }

  /** The row of a key, where it was found; {@link #lock} tells whether it is still there. */
  static Row of(Rows rows, int slot, LimitKey key, Limit limit) {
    Row row = unplaced(key, limit);
    row.place(rows, slot);
    return row;
  }

  /** The row that keys without room share. */
  static Row shared(Rows rows, Limit limit) {
    Row row = new Row(rows.high(0), rows.low(0), limit);
    row.place(rows, 0);
    return row;
  }

  void place(Rows rows, int slot) {
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
   * <p>It waits for a lock only while the row holds the key. The one that has taken its place may
   * be locked by this very request, or by another that waits for a row this one holds.
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

  /** Copies the state of the locked row anew. */
  void load() {
    if (rows == null) {
      set(0, 0, Step.NO_LOG);
    } else {
      Object kept = rows.keptLocked(slot);
      set(rows.level(slot), rows.at(slot), Kept.log(kept));
      limit = Kept.limit(kept);
    }
  }

  /** Unlocks as if never locked: a row that a request has yet to use stays that. */
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

  /** The limit in the locked row itself, whatever the copy says. */
  Limit lockedUnder() {
    return rows == null ? limit : Kept.limit(rows.keptLocked(slot));
  }

  /** What {@link #write} will need, made beforehand so that writing cannot fail. */
  Object toKeep() {
    return Kept.of(limit, log);
  }

  /** Writes the copy back and unlocks. */
  void write(Object kept) {
    if (rows != null) {
      rows.write(slot, level, at, kept);
      rows.unlock(slot, Meta.next(meta, limit));
    }
  }

  /**
   * The order in which requests lock: the same for all, so that none waits for another for ever.
   */
  static int compare(Row one, Row other) {
    int byHigh = Long.compare(one.high, other.high);
    int byLow = byHigh != 0 ? byHigh : Long.compare(one.low, other.low);
    return byLow != 0 ? byLow : Integer.compare(one.rank(), other.rank());
  }

  /** The numbers of shared rows are keys that somebody may use, in the table or absent. */
  private int rank() {
    return rows == null ? 0 : rows.inTable() ? 1 : 2;
  }
}
