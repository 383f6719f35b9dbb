package dev.weir.memory;

import dev.weir.algorithm.Counter;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A part of the table: open addressing, linear probing, at most three quarters full.
 *
 * <p><b>How.</b> Finding takes no lock. A removal closes its gap by moving cells, which a search
 * could miss; so a miss counts only if no cell was moved meanwhile, which {@code moves} tells: it
 * is odd during a removal. A search may find a cell that has just left; a cell tells by itself when
 * it is dead.
 *
 * <p>Nothing sweeps. Each insertion moves a hand over a few slots and drops the first expired cell
 * it finds, so that expired cells make room as fast as new ones need it; growth drops the rest.
 * Beside each slot stands when its cell was last known to expire: most cells the hand passes it
 * need not touch, which in a flood is the difference. When the table is full the hand looks
 * further. A full turn that found nothing knows when the next cell expires, and the hand rests
 * until then, or for a second at most, because a refund can make a cell expire sooner.
 *
 * <p>It is long for a file because slots, notes and hand change together, under the one lock.
 */
final class Segment {
  private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(Cell[].class);
  private static final int LEAST_SLOTS = 8;
  private static final int HAND_SLOTS = 4;

  /**
   * Odd, so that the hand comes to every slot, and long: a hand that walked would leave a desert
   * behind it and a crowd in front.
   */
  private static final int HAND_STRIDE = 0x9e3779b1;

  private static final int HAND_SLOTS_WHEN_FULL = 16;
  private static final long LONGEST_REST_MICROS = 1_000_000;

  private final CellTable table;
  private final ReentrantLock lock = new ReentrantLock();

  private volatile @Nullable Cell[] slots = new Cell[LEAST_SLOTS];
  private volatile int moves;

  /** When the cell in each slot expires or later, by {@link Expiry}; only used under the lock. */
  private int[] expiries = new int[LEAST_SLOTS];

  /**
   * The hash of the cell in each slot, to move it without touching it; only used under the lock.
   */
  private int[] hashes = new int[LEAST_SLOTS];

  private int size;
  private long lastMicros;

  private int hand;
  private int fruitless;
  private long soonestExpiry = Long.MAX_VALUE;
  private long restsUntil;

  Segment(CellTable table) {
    this.table = table;
  }

  @Nullable Cell find(int hash, long high, long low) {
    while (true) {
      int before = moves;
      Cell cell = search(hash, high, low);
      if (cell != null || ((before & 1) == 0 && moves == before)) {
        return cell;
      }
      Thread.onSpinWait();
    }
  }

  @Nullable Cell add(int hash, Cell fresh, long nowMicros) {
    lock.lock();
    try {
      Cell present = search(hash, fresh.high, fresh.low);
      if (present != null) {
        return present;
      }
      if (nowMicros - lastMicros > Expiry.FURTHEST_MICROS) {
        // After a jump of days the notes beside the slots no longer tell past from future.
        rebuild(nowMicros);
      }
      lastMicros = nowMicros;
      turnHand(table.isFull(fresh.limit) ? HAND_SLOTS_WHEN_FULL : HAND_SLOTS, nowMicros);
      if (!table.reserve(fresh.limit)) {
        return null;
      }
      if (4 * (size + 1) > 3 * slots.length) {
        rebuild(nowMicros);
      }
      place(fresh, hash, nowMicros);
      size++;
      return fresh;
    } finally {
      lock.unlock();
    }
  }

  /** Drops the cell of a key if it is as if never used. */
  void drop(int hash, long high, long low, long nowMicros) {
    lock.lock();
    try {
      Cell cell = search(hash, high, low);
      if (cell == null) {
        return;
      }
      int version = cell.lock();
      if (fullAt(cell) > nowMicros) {
        cell.unlock(version);
        return;
      }
      table.release(cell.limit);
      cell.die();
      vacate(indexOf(cell));
    } finally {
      lock.unlock();
    }
  }

  /** Drops an expired cell if there is one near, to make room. */
  void makeRoom(long nowMicros) {
    lock.lock();
    try {
      turnHand(HAND_SLOTS_WHEN_FULL, nowMicros);
    } finally {
      lock.unlock();
    }
  }

  void trim(long nowMicros) {
    lock.lock();
    try {
      rebuild(nowMicros);
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

  private @Nullable Cell search(int hash, long high, long low) {
    @Nullable Cell[] slots = this.slots;
    int mask = slots.length - 1;
    for (int i = hash & mask; ; i = (i + 1) & mask) {
      Cell cell = (Cell) SLOT.getAcquire(slots, i);
      if (cell == null || cell.is(high, low)) {
        return cell;
      }
    }
  }

  private void turnHand(int steps, long nowMicros) {
    if (nowMicros < restsUntil) {
      return;
    }
    @Nullable Cell[] slots = this.slots;
    int mask = slots.length - 1;
    for (int i = 0; i < steps; i++) {
      Cell cell = slots[hand];
      if (cell != null && !Expiry.isPast(expiries[hand], nowMicros)) {
        noteExpiry(Expiry.micros(expiries[hand], nowMicros));
      } else if (cell != null && expire(cell, hand, nowMicros)) {
        vacate(hand);
        startTurn();
        return;
      }
      hand = (hand + HAND_STRIDE) & mask;
      if (++fruitless > mask) {
        restsUntil = Math.min(soonestExpiry, nowMicros + LONGEST_REST_MICROS);
        startTurn();
      }
    }
  }

  private void startTurn() {
    fruitless = 0;
    soonestExpiry = Long.MAX_VALUE;
  }

  /** Ends the cell if it is as if never used; otherwise notes when it will be. */
  private boolean expire(Cell cell, int slot, long nowMicros) {
    int version = cell.version();
    long fullAt = fullAt(cell);
    if (!Cell.isFree(version) || version == Cell.UNBORN || !cell.unchanged(version)) {
      noteExpiry(nowMicros);
      return false;
    }
    if (fullAt > nowMicros || !cell.tryLock(version)) {
      expiries[slot] = Expiry.of(fullAt, nowMicros);
      noteExpiry(fullAt);
      return false;
    }
    table.release(cell.limit);
    cell.die();
    return true;
  }

  private void noteExpiry(long micros) {
    soonestExpiry = Math.min(soonestExpiry, micros);
    restsUntil = Math.min(restsUntil, micros);
  }

  private static long fullAt(Cell cell) {
    return Counter.fullAt(cell.level, cell.at, cell.log, cell.limit);
  }

  /** Copies what is live into as many slots as it needs, half of them free. */
  private void rebuild(long nowMicros) {
    @Nullable Cell[] old = slots;
    boolean[] live = new boolean[old.length];
    int count = 0;
    startTurn();
    for (int i = 0; i < old.length; i++) {
      Cell cell = old[i];
      live[i] = cell != null && !expire(cell, i, nowMicros);
      count += live[i] ? 1 : 0;
    }
    int length = LEAST_SLOTS;
    while (length < 2 * (count + 1)) {
      length *= 2;
    }
    @Nullable Cell[] next = new Cell[length];
    int[] nextExpiries = new int[length];
    int[] nextHashes = new int[length];
    for (int i = 0; i < old.length; i++) {
      if (live[i]) {
        int slot = freeSlot(next, hashes[i]);
        next[slot] = old[i];
        nextExpiries[slot] = expiries[i];
        nextHashes[slot] = hashes[i];
      }
    }
    expiries = nextExpiries;
    hashes = nextHashes;
    slots = next;
    size = count;
    hand = 0;
    restsUntil = Math.min(soonestExpiry, nowMicros + LONGEST_REST_MICROS);
  }

  private void place(Cell cell, int hash, long nowMicros) {
    int slot = freeSlot(slots, hash);
    long fullAt = fullAt(cell);
    expiries[slot] = Expiry.of(fullAt, nowMicros);
    hashes[slot] = hash;
    noteExpiry(fullAt);
    SLOT.setRelease(slots, slot, cell);
  }

  private static int freeSlot(@Nullable Cell[] slots, int hash) {
    int mask = slots.length - 1;
    int slot = hash & mask;
    while (slots[slot] != null) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private int indexOf(Cell cell) {
    int mask = slots.length - 1;
    int i = CellTable.slotHash(CellTable.hash(cell.high, cell.low)) & mask;
    while (slots[i] != cell) {
      i = (i + 1) & mask;
    }
    return i;
  }

  /** Empties a slot and closes the gap, so that no probe ends early. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // written under the lock only
  private void vacate(int index) {
    @Nullable Cell[] slots = this.slots;
    int mask = slots.length - 1;
    int gap = index;
    moves++;
    VarHandle.fullFence();
    for (int i = (index + 1) & mask; ; i = (i + 1) & mask) {
      Cell cell = slots[i];
      if (cell == null) {
        break;
      }
      int home = hashes[i] & mask;
      if (((i - home) & mask) >= ((i - gap) & mask)) {
        SLOT.setRelease(slots, gap, cell);
        expiries[gap] = expiries[i];
        hashes[gap] = hashes[i];
        gap = i;
      }
    }
    SLOT.setRelease(slots, gap, null);
    moves++;
    size--;
  }
}
