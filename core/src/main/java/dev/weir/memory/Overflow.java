package dev.weir.memory;

import dev.weir.Algorithm;
import dev.weir.Limit;
import dev.weir.LimitKey;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Counters for keys that found no room: one per limit, shared by all of them.
 *
 * <p>There is a fixed number. Once all are in use, further limits share one of their kind, by the
 * rule for a counter whose limit changes: what was spent stays spent.
 */
final class Overflow {
  private static final int CELLS = 1_024;

  private final AtomicReferenceArray<Cell> cells = new AtomicReferenceArray<>(CELLS);

  Cell cell(Limit limit) {
    Cell shared = null;
    for (int i = 0; i < CELLS; i++) {
      int index = (limit.hashCode() + i) & (CELLS - 1);
      Cell cell = cells.get(index);
      if (cell == null) {
        cells.compareAndSet(index, null, new Cell.Detached(key(index), limit));
        cell = cells.get(index);
      }
      if (cell.limit.countsLike(limit)) {
        return cell;
      }
      boolean alike = isConcurrency(cell.limit) == isConcurrency(limit);
      shared = shared == null && alike ? cell : shared;
    }
    return shared == null ? cells.get(limit.hashCode() & (CELLS - 1)) : shared;
  }

  private static LimitKey key(int index) {
    return new LimitKey(Long.MIN_VALUE, index);
  }

  private static boolean isConcurrency(Limit limit) {
    return limit.algorithm() == Algorithm.CONCURRENCY;
  }
}
