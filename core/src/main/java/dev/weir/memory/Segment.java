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
 * <p>Nothing sweeps. Each insertion moves a hand over a few slots and drops the cells it finds
 * expired, so an expired cell is gone after at most a quarter as many insertions as there are
 * slots; growth drops the rest. When the table is full the hand is the only way to make room. A
 * full turn that found nothing to drop knows when the next cell expires, and the hand rests until
 * then, or for a second at most, because a refund can make a cell expire sooner.
 */
final class Segment {
  private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(Cell[].class);
  private static final int LEAST_SLOTS = 8;
  private static final int HAND_SLOTS = 4;
  private static final long LONGEST_REST_MICROS = 1_000_000;

  private final CellTable table;
  private final ReentrantLock lock = new ReentrantLock();

  private volatile @Nullable Cell[] slots = new Cell[LEAST_SLOTS];
  private volatile int moves;
  private int size;

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
      turnHand(nowMicros);
      if (!table.reserve(fresh.limit)) {
        return null;
      }
      if (4 * (size + 1) > 3 * slots.length) {
        rebuild(nowMicros);
      }
      place(slots, hash, fresh);
      size++;
      noteExpiry(fullAt(fresh));
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

  private void turnHand(long nowMicros) {
    if (nowMicros < restsUntil) {
      return;
    }
    @Nullable Cell[] slots = this.slots;
    int mask = slots.length - 1;
    for (int i = 0; i < HAND_SLOTS; i++) {
      Cell cell = slots[hand];
      if (cell != null && expire(cell, nowMicros)) {
        // Another cell may move into this slot, so the hand stays.
        vacate(hand);
        startTurn();
        continue;
      }
      hand = (hand + 1) & mask;
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
  private boolean expire(Cell cell, long nowMicros) {
    int version = cell.version();
    long fullAt = fullAt(cell);
    if (!Cell.isFree(version) || version == Cell.UNBORN || !cell.unchanged(version)) {
      noteExpiry(nowMicros);
      return false;
    }
    if (fullAt > nowMicros || !cell.tryLock(version)) {
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
    Cell[] live = new Cell[size];
    int count = 0;
    startTurn();
    for (Cell cell : slots) {
      if (cell != null && !expire(cell, nowMicros)) {
        live[count++] = cell;
      }
    }
    int length = LEAST_SLOTS;
    while (length < 2 * (count + 1)) {
      length *= 2;
    }
    @Nullable Cell[] next = new Cell[length];
    for (int i = 0; i < count; i++) {
      place(next, slotHash(live[i]), live[i]);
    }
    slots = next;
    size = count;
    hand = 0;
    restsUntil = Math.min(soonestExpiry, nowMicros + LONGEST_REST_MICROS);
  }

  private static void place(@Nullable Cell[] slots, int hash, Cell cell) {
    int mask = slots.length - 1;
    int i = hash & mask;
    while (slots[i] != null) {
      i = (i + 1) & mask;
    }
    SLOT.setRelease(slots, i, cell);
  }

  private static int slotHash(Cell cell) {
    return CellTable.slotHash(CellTable.hash(cell.high, cell.low));
  }

  private int indexOf(Cell cell) {
    int mask = slots.length - 1;
    int i = slotHash(cell) & mask;
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
      int home = slotHash(cell) & mask;
      if (((i - home) & mask) >= ((i - gap) & mask)) {
        SLOT.setRelease(slots, gap, cell);
        gap = i;
      }
    }
    SLOT.setRelease(slots, gap, null);
    moves++;
    size--;
  }
}
