package dev.weir.memory;

import dev.weir.Limit;
import dev.weir.algorithm.Counter;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A part of the table: adds, drops and moves rows, one thread at a time.
 *
 * <p>Nothing sweeps. Each insertion moves the {@link Hand} over a few rows and drops the first
 * expired one it finds, so that expired rows make room as fast as new ones need it; when the table
 * is full the hand looks further. A segment that is two thirds full drops what has expired, and
 * moves to larger {@link Rows} if that was not enough. Finding goes on meanwhile.
 */
final class Segment {

  /** What became of a row that was to be added. */
  enum Added {
    /** It has a place now. */
    NEW,
    /** Its key has a row already, and the row to be added now stands for that one. */
    PRESENT,
    /** There is no room. */
    FULL
  }

  static final int LEAST_SLOTS = 8;

  /** A victim that another thread is using is skipped; this many are tried. */
  private static final int MAX_VICTIMS = 16;

  private final Table table;
  private final int index;
  private final ReentrantLock lock = new ReentrantLock();

  private Rows rows = Rows.ofSlots(LEAST_SLOTS);
  private final Hand hand = new Hand(LEAST_SLOTS);
  private int size;
  private int evictions;

  Segment(Table table, int index) {
    this.table = table;
    this.index = index;
    table.publish(index, rows);
  }

  /**
   * Adds a row unless its key is there already.
   *
   * @param reserved whether there is room for it, reserved by the caller
   */
  Added add(int hash, Row row, boolean unborn, boolean reserved, long nowMicros) {
    lock.lock();
    try {
      int present = rows.find(hash, row.high, row.low);
      if (present >= 0) {
        row.place(rows, present);
        return Added.PRESENT;
      }
      turnHand(!reserved && table.isFull(row.limit), nowMicros);
      if (!reserved && table.isFull(row.limit)) {
        return Added.FULL;
      }
      if (isCrowded()) {
        grow(nowMicros);
      }
      Object kept = row.toKeep();
      if (!reserved && !table.reserve(row.limit)) {
        return Added.FULL;
      }
      int slot = rows.emptySlot(hash);
      rows.occupy(slot, row.high, row.low, row.level, row.at, kept, unborn);
      row.place(rows, slot);
      size++;
      hand.note(Counter.fullAt(row.level, row.at, row.log, row.limit));
      return Added.NEW;
    } finally {
      lock.unlock();
    }
  }

  /** Drops the row of a key if it is as if never used. */
  void drop(int hash, long high, long low, long nowMicros) {
    lock.lock();
    try {
      int slot = rows.find(hash, high, low);
      if (slot < 0) {
        return;
      }
      long meta = rows.lock(slot);
      if (isUnused(slot, nowMicros)) {
        remove(slot);
      } else {
        rows.unlock(slot, Meta.next(meta));
      }
    } finally {
      lock.unlock();
    }
  }

  /** Drops an expired row if there is one near, to make room. */
  void makeRoom(long nowMicros) {
    lock.lock();
    try {
      turnHand(true, nowMicros);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Drops a live row of a group that has more than so many cells, and hands its room over to the
   * caller: so many cells, or 0 if there is no such row here.
   */
  long evict(long threshold, long nowMicros) {
    lock.lock();
    try {
      int victim = lockVictim(threshold, nowMicros);
      if (victim == Rows.ABSENT) {
        return 0;
      }
      if (!isUnused(victim, nowMicros)) {
        table.countEvicted();
      }
      long room = table.handOver(Kept.limit(rows.keptLocked(victim)));
      vacate(victim);
      return room;
    } finally {
      lock.unlock();
    }
  }

  private int lockVictim(long threshold, long nowMicros) {
    for (int i = 0; i < MAX_VICTIMS; i++) {
      Victim victim = new Victim(table, rows, threshold, nowMicros);
      if (!victim.findFrom(evictions++)) {
        return Rows.ABSENT;
      }
      if (victim.lock()) {
        return victim.slot();
      }
    }
    return Rows.ABSENT;
  }

  /** Drops all expired rows, and what slots are then too many. */
  void trim(long nowMicros) {
    lock.lock();
    try {
      sweep(nowMicros);
      if (slotsFor(size) < rows.slots()) {
        move(slotsFor(size));
      }
    } finally {
      lock.unlock();
    }
  }

  int size() {
    lock.lock();
    try {
      return size;
    } finally {
      lock.unlock();
    }
  }

  private boolean isCrowded() {
    return 3 * (size + 1L) > 2L * rows.slots();
  }

  /** Twice as many as rows, so that memory for a key stays within what is promised. */
  private static int slotsFor(int size) {
    return Math.max(LEAST_SLOTS, Math.multiplyExact(2, size + 1));
  }

  private void grow(long nowMicros) {
    sweep(nowMicros);
    // With less to spare than this the next few insertions would have to sweep again.
    if (12 * (size + 1L) > 7L * rows.slots()) {
      move(slotsFor(size));
    }
  }

  private void move(int slots) {
    Rows next = rows.makeSuccessor(slots);
    rows.moveAll(next);
    rows = next;
    table.publish(index, next);
    hand.reset(slots);
  }

  private void turnHand(boolean full, long nowMicros) {
    int leaps = hand.leaps(full, nowMicros);
    if (leaps == 0) {
      return;
    }
    while (leaps > 0) {
      if (expire(hand.slot(), nowMicros)) {
        return;
      }
      leaps -= hand.advance(nowMicros) ? 1 : 0;
    }
    if (full) {
      hand.discourage(nowMicros);
    }
  }

  private void sweep(long nowMicros) {
    for (int slot = 0; slot < rows.slots(); ) {
      // What is dropped may be replaced by the next one in the row.
      slot += expire(slot, nowMicros) ? 0 : 1;
    }
  }

  /** Drops the row if it is as if never used; otherwise notes when it will be. */
  private boolean expire(int slot, long nowMicros) {
    long meta = rows.meta(slot);
    if (!Meta.isOccupied(meta)) {
      return false;
    }
    Object kept = rows.kept(slot);
    long level = rows.level(slot);
    long at = rows.at(slot);
    if (kept == null || !Meta.isFree(meta) || Meta.isUnborn(meta) || !rows.unchanged(slot, meta)) {
      hand.note(nowMicros);
      return false;
    }
    Limit limit = Kept.limit(kept);
    long[] log = Kept.log(kept);
    if (!Counter.isUnused(level, at, log, limit, nowMicros) || !rows.tryLock(slot, meta)) {
      hand.note(Counter.fullAt(level, at, log, limit));
      return false;
    }
    remove(slot);
    return true;
  }

  private boolean isUnused(int locked, long nowMicros) {
    Object kept = rows.keptLocked(locked);
    return Counter.isUnused(
        rows.level(locked), rows.at(locked), Kept.log(kept), Kept.limit(kept), nowMicros);
  }

  private void remove(int locked) {
    table.release(Kept.limit(rows.keptLocked(locked)));
    vacate(locked);
  }

  private void vacate(int locked) {
    rows.remove(locked);
    size--;
    hand.startTurn();
  }
}
