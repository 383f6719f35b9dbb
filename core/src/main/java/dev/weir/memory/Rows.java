package dev.weir.memory;

import dev.weir.Limit;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Counters in one array of numbers: each row has a {@link Meta} word, a key of two, and a state of
 * two.
 *
 * <p><b>A row</b> is locked by its first word, which changes with every change of the row. A
 * decision reads that word, the key and the state, and the word again: if it is the same, all of it
 * belongs together. A denial is then done: it wrote nothing and blocked nobody. A grant goes on by
 * locking the word it read in one compare-and-set, which proves that the state it computed from is
 * still the state, then writes, and moves on to the next word.
 *
 * <p><b>The table.</b> Open addressing, linear probing. Finding takes no lock. Rows are added and
 * moved under the lock of the segment only: a removal closes its gap by moving rows, which a search
 * could miss, so a miss counts only if nothing moved meanwhile, which {@code moves} tells: it is
 * odd during a removal, and odd for good once all rows move to a {@link #successor}. A search may
 * find a row that moves a moment later; whoever locks the row or validates what it read will know.
 *
 * <p><b>No deadlock.</b> Who moves rows holds one at a time, and has nothing to wait for while it
 * does: gaps are empty, not locked. So a request that holds rows, and waits for more, never waits
 * for somebody who waits for it; it never asks for the lock of a segment either.
 */
final class Rows {
  /** What {@link #find} returns if the key has no row. */
  static final int ABSENT = -1;

  /** What {@link #find} returns if rows moved, so that it cannot tell. */
  static final int MOVING = -2;

  private static final int META = 0;
  private static final int LOW = 1;
  private static final int HIGH = 2;
  private static final int LEVEL = 3;
  private static final int AT = 4;
  private static final int WORDS = 5;

  private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);

  private final long[] words;
  private final @Nullable Object[] kept;
  private final int slots;
  private final boolean inTable;

  private volatile int moves;
  private volatile @Nullable Rows successor;

  private Rows(int slots, boolean inTable, int moves) {
    this.words = new long[Math.multiplyExact(slots, WORDS)];
    this.kept = new Object[slots];
    this.slots = slots;
    this.inTable = inTable;
    this.moves = moves;
  }

  static Rows ofSlots(int slots) {
    return new Rows(slots, true, 0);
  }

  /** A row that is in no table and never moves, for keys that found no room. */
  static Rows shared(long high, long low, Limit limit) {
    Rows rows = new Rows(1, false, 0);
    rows.occupy(0, high, low, 0, 0, limit, false);
    return rows;
  }

  int slots() {
    return slots;
  }

  boolean inTable() {
    return inTable;
  }

  /** Where the rows are going or have gone, if they have to move. */
  @Nullable Rows successor() {
    return successor;
  }

  /** The slot that held the key a moment ago, {@link #ABSENT} or {@link #MOVING}. */
  int find(int hash, long high, long low) {
    int before = moves();
    for (int slot = home(hash); ; slot = after(slot)) {
      if (!Meta.isOccupied(meta(slot))) {
        return isAsOf(before) ? ABSENT : MOVING;
      }
      if (holds(slot, high, low)) {
        return slot;
      }
    }
  }

  /** To be read before a search, for {@link #isAsOf}. */
  int moves() {
    return moves;
  }

  /** Whether no row has moved since {@code moves} was read, so that a miss is a miss. */
  boolean isAsOf(int moves) {
    return (moves & 1) == 0 && this.moves == moves;
  }

  /** Where the search for a key begins. Scaled, not masked: there can be any number of slots. */
  int home(int hash) {
    return (int) (((hash & 0xffff_ffffL) * slots) >>> 32);
  }

  /** Where a search goes on. */
  int after(int slot) {
    return slot + 1 == slots ? 0 : slot + 1;
  }

  /** Reads the first word; what is read after this belongs to it if {@link #unchanged} says so. */
  long meta(int slot) {
    return (long) WORD.getAcquire(words, slot * WORDS + META);
  }

  /** Whether everything read since {@code meta} was read is one consistent row. */
  boolean unchanged(int slot, long meta) {
    VarHandle.acquireFence();
    return (long) WORD.getOpaque(words, slot * WORDS + META) == meta;
  }

  boolean holds(int slot, long high, long low) {
    return words[slot * WORDS + LOW] == low && words[slot * WORDS + HIGH] == high;
  }

  long high(int slot) {
    return words[slot * WORDS + HIGH];
  }

  long low(int slot) {
    return words[slot * WORDS + LOW];
  }

  long level(int slot) {
    return words[slot * WORDS + LEVEL];
  }

  long at(int slot) {
    return words[slot * WORDS + AT];
  }

  /** The {@link Kept} of the row; null only if the row has just gone. */
  @Nullable Object kept(int slot) {
    return kept[slot];
  }

  /** The {@link Kept} of a row that the caller has locked. */
  Object keptLocked(int slot) {
    return Objects.requireNonNull(kept[slot]);
  }

  /** Locks if nothing has changed since {@code meta} was read, which was free. */
  boolean tryLock(int slot, long meta) {
    if (!WORD.compareAndSet(words, slot * WORDS + META, meta, Meta.locked(meta))) {
      return false;
    }
    // Elsewhere than on x86 the writes that follow could otherwise be seen before the lock.
    VarHandle.storeStoreFence();
    return true;
  }

  /** Locks a row that cannot go, because the caller is the one who moves rows. */
  long lock(int slot) {
    for (int attempt = 0; ; attempt++) {
      long meta = meta(slot);
      if (Meta.isFree(meta) && tryLock(slot, meta)) {
        return meta;
      }
      Spin.pause(attempt);
    }
  }

  /** Writes to a locked row. */
  void write(int slot, long level, long at) {
    words[slot * WORDS + LEVEL] = level;
    words[slot * WORDS + AT] = at;
  }

  /** Writes to a locked row. */
  void write(int slot, long level, long at, Object kept) {
    write(slot, level, at);
    this.kept[slot] = kept;
  }

  /** Unlocks, and publishes what was written under the lock. */
  void unlock(int slot, long next) {
    WORD.setRelease(words, slot * WORDS + META, next);
  }

  /** Puts an empty row to use. */
  void occupy(int slot, long high, long low, long level, long at, Object kept, boolean unborn) {
    long empty = meta(slot);
    fill(slot, high, low, level, at, kept);
    unlock(slot, Meta.occupied(empty, Kept.limit(kept), unborn));
  }

  /** The first empty slot for a key, where {@link #find} will look for it. */
  int emptySlot(int hash) {
    int slot = home(hash);
    while (Meta.isOccupied(meta(slot))) {
      slot = after(slot);
    }
    return slot;
  }

  /** Empties a locked row and closes the gap, so that no probe ends early. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // written under the lock of the segment only
  void remove(int locked) {
    moves++;
    VarHandle.fullFence();
    vacate(locked);
    int gap = locked;
    for (int slot = after(gap); Meta.isOccupied(meta(slot)); slot = after(slot)) {
      int home = home(Table.slotHash(high(slot), low(slot)));
      if (distance(home, slot) >= distance(gap, slot)) {
        move(slot, this, gap);
        gap = slot;
      }
    }
    moves++;
  }

  /** Rows for {@code slots} keys into which {@link #moveAll} can move these. */
  Rows makeSuccessor(int slots) {
    return new Rows(slots, true, 1);
  }

  /** Moves all rows for good. Whoever comes here is sent on to {@code next}, row by row. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // written under the lock of the segment only
  void moveAll(Rows next) {
    successor = next;
    moves++;
    VarHandle.fullFence();
    for (int slot = 0; slot < slots; slot++) {
      if (Meta.isOccupied(meta(slot))) {
        move(slot, next, next.emptySlot(Table.slotHash(high(slot), low(slot))));
      }
    }
    next.moves++;
  }

  private void move(int slot, Rows to, int empty) {
    long meta = lock(slot);
    to.fill(empty, high(slot), low(slot), level(slot), at(slot), keptLocked(slot));
    to.unlock(empty, Meta.takenOver(to.meta(empty), meta));
    vacate(slot);
  }

  private void fill(int slot, long high, long low, long level, long at, Object kept) {
    // Who still reads what was here must find the row emptied if it sees any of this.
    VarHandle.storeStoreFence();
    words[slot * WORDS + LOW] = low;
    words[slot * WORDS + HIGH] = high;
    write(slot, level, at, kept);
  }

  private void vacate(int slot) {
    kept[slot] = null;
    unlock(slot, Meta.emptied(meta(slot)));
  }

  private int distance(int from, int to) {
    return to >= from ? to - from : to - from + slots;
  }
}
