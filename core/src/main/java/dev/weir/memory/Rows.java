package dev.weir.memory;

import dev.weir.Limit;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Counters in one array of numbers: each row has a {@link Meta} word, two words of key and two
 * words of state.
 *
 * <p><b>A row</b> is a sequence lock on its first word, which changes with every change of the row.
 * A decision reads that word, the key and the state, and the word again: if it is unchanged, the
 * reads are consistent. A denial is then complete: it wrote nothing and blocked no other thread. A
 * grant locks the word it read by one compare-and-set, which proves that the state it computed from
 * is still current, then writes the state, and unlocks with the next word.
 *
 * <p><b>The table.</b> Open addressing, linear probing. A search takes no lock. Rows are added and
 * moved under the lock of the segment only. A removal closes its gap by moving rows, which a search
 * could miss, so a miss counts only if no row moved meanwhile. {@code moves} shows that: it is odd
 * during a removal, and stays odd once all rows move to a {@link #successor}. A search may find a
 * row that moves a moment later; the thread notices when it locks the row or validates its reads.
 *
 * <p><b>No deadlock.</b> A thread that moves rows locks one at a time, and waits for nothing while
 * it does: gaps are empty, not locked. So a request that holds rows, and waits for more, never
 * waits for a thread that waits for it; and it never needs the lock of a segment.
 */
final class Rows {
  /** Returned by {@link #find} if the key has no row. */
  static final int ABSENT = -1;

  /** Returned by {@link #find} if rows moved during the search, so that the result is unknown. */
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

  /** The rows to which these are moving or have moved; null if they are not. */
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

  /** The count of moves; read before a search, for {@link #isAsOf}. */
  int moves() {
    return moves;
  }

  /** Whether no row has moved since {@code moves} was read, so that a miss is certain. */
  boolean isAsOf(int moves) {
    return (moves & 1) == 0 && this.moves == moves;
  }

  /** The slot where the search for a key starts. Scaled, not masked: any number of slots works. */
  int home(int hash) {
    return (int) (((hash & 0xffff_ffffL) * slots) >>> 32);
  }

  /** The next slot of a search. */
  int after(int slot) {
    return slot + 1 == slots ? 0 : slot + 1;
  }

  /** Reads the first word; later reads are consistent with it if {@link #unchanged}. */
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

  /** The {@link LimitAndLog} of the row; null only if the row has just been removed. */
  @Nullable Object kept(int slot) {
    return kept[slot];
  }

  /** The {@link LimitAndLog} of a row that the caller has locked. */
  Object keptLocked(int slot) {
    return Objects.requireNonNull(kept[slot]);
  }

  /** Locks if nothing has changed since {@code meta} was read, which was free. */
  boolean tryLock(int slot, long meta) {
    if (!WORD.compareAndSet(words, slot * WORDS + META, meta, Meta.locked(meta))) {
      return false;
    }
    // On architectures other than x86 later writes could otherwise become visible before the lock.
    VarHandle.storeStoreFence();
    return true;
  }

  /** Locks a row that cannot move, because the caller holds the lock of the segment. */
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

  /** Fills an empty row. */
  void occupy(int slot, long high, long low, long level, long at, Object kept, boolean pending) {
    long empty = meta(slot);
    fill(slot, high, low, level, at, kept);
    unlock(slot, Meta.occupied(empty, LimitAndLog.limit(kept), pending));
  }

  /** The first empty slot in the probe sequence of a key. */
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

  /** Moves all rows to {@code next}, one by one; searches here are then redirected there. */
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
    // A thread that still reads the previous row and sees any of this must see it emptied first.
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
