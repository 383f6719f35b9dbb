package dev.weir.replay.run;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.algorithm.Counter;
import dev.weir.algorithm.Step;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Counters by key, in an open-addressed table of numbers. Where it is full, counters leave it that
 * are as if never used; then it grows, up to a maximum. For one thread.
 */
final class CounterTable {
  private static final int INITIAL_SLOTS = 1 << 10;

  /** For each slot: the key, or 0; the level; the time; and the number of the limit. */
  private static final int STRIDE = 4;

  private static final int LEVEL = 1;
  private static final int AT = 2;
  private static final int LIMIT = 3;

  private final long maxKeys;
  private long[] cells = new long[STRIDE * INITIAL_SLOTS];
  private @Nullable Object[] logs = new @Nullable Object[INITIAL_SLOTS];
  private final Map<Long, Limit> limits = new HashMap<>();
  private @Nullable Limit lastLimit;
  private int size;
  private int slots = INITIAL_SLOTS;

  CounterTable(long maxKeys) {
    this.maxKeys = Math.max(INITIAL_SLOTS / 2, maxKeys);
  }

  /** One number for a key, whose halves are as good as random; never 0. */
  static long key(long high, long low) {
    long key = Long.rotateLeft(high, 23) ^ low;
    return key == 0 ? 1 : key;
  }

  /** The cell of a key; negative if there is none. */
  int find(long key) {
    int mask = slots - 1;
    int slot = (int) (key ^ key >>> 32) & mask;
    while (true) {
      long present = cells[STRIDE * slot];
      if (present == key) {
        return slot;
      }
      if (present == 0) {
        return ~slot;
      }
      slot = slot + 1 & mask;
    }
  }

  boolean isFull() {
    return size >= maxKeys;
  }

  long level(int cell) {
    return cells[STRIDE * cell + LEVEL];
  }

  long at(int cell) {
    return cells[STRIDE * cell + AT];
  }

  long[] log(int cell) {
    return logs[cell] instanceof long[] log ? log : Step.NO_LOG;
  }

  /** Whether a cell was written under this limit. */
  boolean isUnder(int cell, Limit limit) {
    return cells[STRIDE * cell + LIMIT] == limit.serial() && limit.serial() != 0;
  }

  /** The state of a cell, converted if it was written under another limit. */
  Step stateUnder(int cell, Limit limit, long nowMicros) {
    Limit from = limit(cell);
    return from.countsLike(limit)
        ? new Step(level(cell), at(cell), log(cell), Decision.blocked())
        : Counter.migrate(level(cell), at(cell), log(cell), from, limit, nowMicros);
  }

  private Limit limit(int cell) {
    return Objects.requireNonNull(limits.get(cells[STRIDE * cell + LIMIT]));
  }

  /** Writes a state to a cell; a negative one, as {@link #find} has it, becomes one of this key. */
  @SuppressWarnings("ReferenceEquality") // a limit is noted once more, if ever
  void write(int cell, long key, Step state, Limit limit) {
    int slot = cell;
    if (cell < 0) {
      slot = ~cell;
      size++;
      cells[STRIDE * slot] = key;
    }
    if (limit != lastLimit) {
      limits.putIfAbsent((long) limit.serial(), limit);
      lastLimit = limit;
    }
    int at = STRIDE * slot;
    cells[at + LEVEL] = state.level();
    cells[at + AT] = state.at();
    cells[at + LIMIT] = limit.serial();
    if (state.log().length > 0 || logs[slot] != null) {
      logs[slot] = state.log().length == 0 ? null : state.log();
    }
  }

  /** Makes room for more keys: drops what is as if never used, and grows if much is left. */
  void makeRoom(int more, long nowMicros) {
    if (2 * (size + more) <= slots) {
      return;
    }
    long[] oldCells = cells;
    @Nullable Object[] oldLogs = logs;
    int oldSlots = slots;
    int live = 0;
    for (int i = 0; i < oldSlots; i++) {
      if (oldCells[STRIDE * i] != 0) {
        if (Counter.isUnused(level(i), at(i), log(i), limit(i), nowMicros)) {
          oldCells[STRIDE * i] = 0;
        } else {
          live++;
        }
      }
    }
    if (4L * (live + more) > oldSlots) {
      slots = Math.multiplyExact(2, oldSlots);
    }
    cells = new long[Math.multiplyExact(STRIDE, slots)];
    logs = new @Nullable Object[slots];
    size = 0;
    for (int i = 0; i < oldSlots; i++) {
      if (oldCells[STRIDE * i] != 0) {
        int slot = ~find(oldCells[STRIDE * i]);
        System.arraycopy(oldCells, STRIDE * i, cells, STRIDE * slot, STRIDE);
        logs[slot] = oldLogs[i];
        size++;
      }
    }
  }
}
