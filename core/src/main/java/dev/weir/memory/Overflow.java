package dev.weir.memory;

import dev.weir.Limit;
import dev.weir.LimitKey;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Counters for keys that found no room: one per limit, shared by all of them.
 *
 * <p>There is a fixed number. Two limits that fall on the same one share it, by the rule for a
 * counter whose limit changes: what was spent stays spent.
 */
final class Overflow {
  private static final int CELLS = 1_024;

  private final AtomicReferenceArray<Cell> cells = new AtomicReferenceArray<>(CELLS);

  Cell cell(Limit limit) {
    int index = (limit.hashCode() ^ limit.hashCode() >>> 16) & CELLS - 1;
    Cell cell = cells.get(index);
    if (cell == null) {
      cells.compareAndSet(
          index, null, new Cell.Detached(new LimitKey(Long.MIN_VALUE, index), limit));
      cell = cells.get(index);
    }
    return cell;
  }
}
