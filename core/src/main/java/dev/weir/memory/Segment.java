package dev.weir.memory;

import dev.weir.algorithm.Counter;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A part of the table: open addressing, linear probing, at most three quarters full.
 *
 * <p><b>How.</b> Finding takes no lock. It may miss a cell that is being moved by a removal or by
 * growth, so a miss is only a hint: {@link #add} looks again under the lock. It may find a cell
 * that has just left, so a cell tells by itself when it is dead.
 *
 * <p>Nothing sweeps. Each insertion moves a hand over a few slots and drops the cells it finds
 * expired, so an expired cell is gone after at most a quarter as many insertions as there are
 * slots; growth drops the rest. When the table is full the hand is the only way to make room. A
 * full turn that found nothing to drop knows when the next cell expires, and the hand rests until
 * then.
 */
final class Segment {
  private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(Cell[].class);
  private static final int LEAST_SLOTS = 8;
  private static final int HAND_SLOTS = 4;

  private final CellTable table;
  private final ReentrantLock lock = new ReentrantLock();

  private volatile @Nullable Cell[] slots = new Cell[LEAST_SLOTS];
  private int size;

  private int hand;
  private int fruitless;
  private long soonestExpiry = Long.MAX_VALUE;
  private long restsUntil;

  Segment(CellTable table) {
    this.table = table;
  }

  @Nullable Cell find(int hash, long high, long low) {
    @Nullable Cell[] slots = this.slots;
    int mask = slots.length - 1;
    for (int i = hash & mask; ; i = (i + 1) & mask) {
      Cell cell = (Cell) SLOT.getAcquire(slots, i);
      if (cell == null || cell.is(high, low)) {
        return cell;
      }
    }
  }

  @Nullable Cell add(int hash, Cell fresh, long nowMicros) {
    lock.lock();
    try {
      Cell present = find(hash, fresh.high, fresh.low);
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
      return fresh;
    } finally {
      lock.unlock();
    }
  }

  void remove(int hash, long high, long low) {
    lock.lock();
    try {
      Cell cell = find(hash, high, low);
      if (cell != null) {
        cell.lock();
        cell.die();
        vacate(indexOf(cell));
        table.release(cell.limit);
      }
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

  private void turnHand(long nowMicros) {
    if (nowMicros < restsUntil) {
      return;
    }
    for (int i = 0; i < HAND_SLOTS; i++) {
      hand = hand + 1 & slots.length - 1;
      Cell cell = slots[hand];
      if (cell != null && expire(cell, nowMicros)) {
        vacate(hand);
        // Another cell may have moved into this slot: look at it again next.
        hand = hand - 1 & slots.length - 1;
        startTurn();
      } else if (++fruitless >= slots.length) {
        restsUntil = soonestExpiry;
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
    long fullAt = Counter.fullAt(cell.level, cell.at, cell.log, cell.limit);
    if (!Cell.isFree(version) || !cell.unchanged(version)) {
      soonestExpiry = nowMicros;
      return false;
    }
    if (fullAt > nowMicros) {
      soonestExpiry = Math.min(soonestExpiry, fullAt);
      return false;
    }
    if (!cell.tryLock(version)) {
      soonestExpiry = nowMicros;
      return false;
    }
    table.release(cell.limit);
    cell.die();
    return true;
  }

  /** Copies what is live into as many slots as it needs, half of them free. */
  private void rebuild(long nowMicros) {
    @Nullable Cell[] old = slots;
    Cell[] live = new Cell[size];
    int count = 0;
    for (Cell cell : old) {
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
      place(next, (int) CellTable.hash(live[i].high, live[i].low), live[i]);
    }
    slots = next;
    size = count;
    hand = 0;
    restsUntil = 0;
    startTurn();
  }

  private static void place(@Nullable Cell[] slots, int hash, Cell cell) {
    int mask = slots.length - 1;
    int i = hash & mask;
    while (slots[i] != null) {
      i = (i + 1) & mask;
    }
    SLOT.setRelease(slots, i, cell);
  }

  private int indexOf(Cell cell) {
    int mask = slots.length - 1;
    int i = (int) CellTable.hash(cell.high, cell.low) & mask;
    while (slots[i] != cell) {
      i = (i + 1) & mask;
    }
    return i;
  }

  /** Empties a slot and closes the gap, so that no probe ends early. */
  private void vacate(int index) {
    @Nullable Cell[] slots = this.slots;
    int mask = slots.length - 1;
    int gap = index;
    for (int i = (index + 1) & mask; ; i = (i + 1) & mask) {
      Cell cell = slots[i];
      if (cell == null) {
        break;
      }
      int home = (int) CellTable.hash(cell.high, cell.low) & mask;
      if (((i - home) & mask) >= ((i - gap) & mask)) {
        SLOT.setRelease(slots, gap, cell);
        gap = i;
      }
    }
    SLOT.setRelease(slots, gap, null);
    size--;
  }
}
