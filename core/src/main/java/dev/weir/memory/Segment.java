package dev.weir.memory;

import dev.weir.Limit;
import dev.weir.algorithm.Counter;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A part of the table: adds, drops and moves rows, one thread at a time.
 *
 * <p>There is no background sweep. Each insertion moves the {@link ExpiryClockHand} over a few rows
 * and drops the first expired one it finds, so that expired rows make room as fast as new ones need
 * it; when the table is full the hand examines more. A segment that is two thirds full drops all
 * expired rows, and moves to larger {@link Rows} if that was not enough. Searches continue
 * meanwhile.
 */
final class Segment {

  /** The result of adding a row. */
  enum Added {
    /** The row was added. */
    NEW,
    /** The key has a row already, and the given row now refers to that one. */
    PRESENT,
    /** There is no room. */
    FULL
  }

  static final int MIN_SLOTS = 8;

  /** A victim that another thread is using is skipped; this many are tried. */
  private static final int MAX_VICTIMS = 16;

  private final Table table;
  private final int index;
  private final ReentrantLock lock = new ReentrantLock();

  private Rows rows = Rows.ofSlots(MIN_SLOTS);
  private final ExpiryClockHand hand = new ExpiryClockHand(MIN_SLOTS);
  private int size;
  private int evictions;

  Segment(Table table, int index) {
    this.table = table;
    this.index = index;
    table.publish(index, rows);
  }

  /**
   * Adds a row unless its key is present.
   *
   * @param pending whether the row is for a request that has not used it yet
   * @param reserved whether the caller has reserved room for the row
   */
  Added add(int hash, Row row, boolean pending, boolean reserved, long nowMicros) {
    lock.lock();
    try {
      int present = rows.find(hash, row.high, row.low);
      if (present >= 0) {
        row.locate(rows, present);
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
      rows.occupy(slot, row.high, row.low, row.level, row.at, kept, pending);
      row.locate(rows, slot);
      size++;
      hand.recordExpiry(Counter.fullAt(row.level, row.at, row.log, row.limit));
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

  /** Drops an expired row if the hand finds one, to make room. */
  void makeRoom(long nowMicros) {
    lock.lock();
    try {
      turnHand(true, nowMicros);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Drops a row of a group that has more than {@code threshold} cells, and transfers its cells to
   * the caller.
   *
   * @return the cells of the row, or 0 if this segment has no such row
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
      long room = table.handOver(LimitAndLog.limit(rows.keptLocked(victim)));
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

  /** Drops all expired rows, and shrinks the slots accordingly. */
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

  /** Twice as many slots as rows, so that memory per key stays within its documented bound. */
  private static int slotsFor(int size) {
    return Math.max(MIN_SLOTS, Math.multiplyExact(2, size + 1));
  }

  private void grow(long nowMicros) {
    sweep(nowMicros);
    // With fewer empty slots than this the next few insertions would have to sweep again.
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
      hand.backOff(nowMicros);
    }
  }

  private void sweep(long nowMicros) {
    for (int slot = 0; slot < rows.slots(); ) {
      // Dropping a row may move a later one into its slot.
      slot += expire(slot, nowMicros) ? 0 : 1;
    }
  }

  /** Drops the row if it is as if never used; otherwise records when it will be. */
  private boolean expire(int slot, long nowMicros) {
    long meta = rows.meta(slot);
    if (!Meta.isOccupied(meta)) {
      return false;
    }
    Object kept = rows.kept(slot);
    long level = rows.level(slot);
    long at = rows.at(slot);
    if (kept == null || !Meta.isFree(meta) || Meta.isPending(meta) || !rows.unchanged(slot, meta)) {
      hand.recordExpiry(nowMicros);
      return false;
    }
    Limit limit = LimitAndLog.limit(kept);
    long[] log = LimitAndLog.log(kept);
    if (!Counter.isUnused(level, at, log, limit, nowMicros) || !rows.tryLock(slot, meta)) {
      hand.recordExpiry(Counter.fullAt(level, at, log, limit));
      return false;
    }
    remove(slot);
    return true;
  }

  private boolean isUnused(int locked, long nowMicros) {
    Object kept = rows.keptLocked(locked);
    return Counter.isUnused(
        rows.level(locked),
        rows.at(locked),
        LimitAndLog.log(kept),
        LimitAndLog.limit(kept),
        nowMicros);
  }

  private void remove(int locked) {
    table.release(LimitAndLog.limit(rows.keptLocked(locked)));
    vacate(locked);
  }

  private void vacate(int locked) {
    rows.remove(locked);
    size--;
    hand.startTurn();
  }
}
