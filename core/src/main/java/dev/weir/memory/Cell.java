package dev.weir.memory;

import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.algorithm.Step;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * One live counter: a key, the state of its limit, and a lock that is a version number.
 *
 * <p><b>How.</b> An even version means free, an odd one locked, {@link #DEAD} that the cell has
 * left its table for good. A decision reads the version, reads the state, and computes. A denial
 * then only has to find the version unchanged: it wrote nothing and blocked nobody. A grant goes on
 * by moving the version it read to odd in one compare-and-set, which proves that the state it
 * computed from is still the state, then writes and moves on to the next even number. Requests with
 * several claims hold the locks of all their cells, taken in the order of {@link #compareKeys}, so
 * they cannot deadlock.
 *
 * <p>Nothing waits, allocates or calls out while a cell is locked, so a lock is held for
 * nanoseconds; a thread that finds it taken spins, then yields, then sleeps briefly in case the
 * holder lost its core.
 *
 * <p>The fields fill an object of 56 bytes, which together with its slot in the table is what a key
 * costs.
 */
class Cell {
  static final int DEAD = -1;

  /** The version of a cell added for a request that has yet to use it: the hand leaves it alone. */
  static final int UNBORN = 0;

  private static final int BORN = 2;

  private static final VarHandle VERSION;

  static {
    try {
      VERSION = MethodHandles.lookup().findVarHandle(Cell.class, "version", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  final long high;
  final long low;

  /** The limit the state was written under. */
  Limit limit;

  long level;
  long at;
  long[] log;

  @SuppressWarnings("unused") // through VERSION
  private int version;

  private Cell(LimitKey key, Limit limit, int version) {
    this.high = key.high();
    this.low = key.low();
    this.limit = limit;
    this.log = Step.NO_LOG;
    this.version = version;
  }

  Cell(LimitKey key, Limit limit) {
    this(key, limit, BORN);
  }

  static Cell unborn(LimitKey key, Limit limit) {
    return new Cell(key, limit, UNBORN);
  }

  /**
   * A cell that is in no table: shared by keys that found no room, or standing in for an absent
   * one.
   */
  static final class Detached extends Cell {
    Detached(LimitKey key, Limit limit) {
      super(key, limit);
    }

    @Override
    boolean inTable() {
      return false;
    }
  }

  boolean inTable() {
    return true;
  }

  final boolean is(long high, long low) {
    return this.low == low && this.high == high;
  }

  /** Reads the version; state read after this belongs to it if {@link #unchanged} says so. */
  final int version() {
    return (int) VERSION.getAcquire(this);
  }

  /** Whether a cell at this version is neither locked nor dead. */
  static boolean isFree(int version) {
    return (version & 1) == 0;
  }

  /** Whether everything read since {@code version} was read is one consistent state. */
  final boolean unchanged(int version) {
    VarHandle.acquireFence();
    return (int) VERSION.getOpaque(this) == version;
  }

  /** Locks if nothing has changed since {@code version} was read. */
  final boolean tryLock(int version) {
    if (!VERSION.compareAndSet(this, version, version + 1)) {
      return false;
    }
    // Elsewhere than on x86 the writes that follow could otherwise be seen before the odd version.
    VarHandle.storeStoreFence();
    return true;
  }

  /** Locks and returns the version to unlock with, or {@link #DEAD}. */
  final int lock() {
    for (int attempt = 0; ; attempt++) {
      int version = version();
      if (version == DEAD || (isFree(version) && tryLock(version))) {
        return version;
      }
      pause(attempt);
    }
  }

  /** Publishes what was written under the lock taken at {@code version}. */
  final void unlock(int version) {
    int next = (version + 2) & Integer.MAX_VALUE;
    VERSION.setRelease(this, next == UNBORN ? BORN : next);
  }

  /** Ends a locked cell: whoever still finds it must look again. */
  final void die() {
    VERSION.setRelease(this, DEAD);
  }

  final void set(long level, long at, long[] log) {
    this.level = level;
    this.at = at;
    this.log = log;
  }

  @SuppressWarnings("ThreadPriorityCheck") // a hint; correctness does not hang on it
  static void pause(int attempt) {
    if (attempt < 64) {
      for (int i = 0; i < 32 << Math.min(attempt, 3); i++) {
        Thread.onSpinWait();
      }
    } else if (attempt < 128) {
      Thread.yield();
    } else {
      LockSupport.parkNanos(20_000);
    }
  }

  static int compareKeys(Cell one, Cell other) {
    int byHigh = Long.compare(one.high, other.high);
    int byLow = byHigh != 0 ? byHigh : Long.compare(one.low, other.low);
    return byLow != 0 ? byLow : Boolean.compare(one.inTable(), other.inTable());
  }
}
