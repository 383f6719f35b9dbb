package dev.weir.memory;

import dev.weir.Algorithm;
import dev.weir.Limit;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Counters for keys that found no room: one per limit of a rule, shared by all such keys.
 *
 * <p>Their number is fixed. Once all are in use, further limits share a counter of the same kind,
 * like a counter whose limit changes: what was spent stays spent. Safe for use by any number of
 * threads.
 */
final class Overflow {
  private static final int COUNTERS = 1_024;

  /** Each counter is one row, at slot 0. */
  private final AtomicReferenceArray<Rows> counters = new AtomicReferenceArray<>(COUNTERS);

  Rows counter(Limit limit) {
    Rows shared = null;
    for (int i = 0; i < COUNTERS; i++) {
      int index = ((int) limit.group() + i) & (COUNTERS - 1);
      Rows counter = counters.get(index);
      if (counter == null) {
        counters.compareAndSet(index, null, Rows.shared(Long.MIN_VALUE, index, limit));
        counter = counters.get(index);
      }
      Limit present = LimitAndLog.limit(Objects.requireNonNull(counter.kept(0)));
      if (present.countsLike(limit) && present.group() == limit.group()) {
        return counter;
      }
      boolean alike = isConcurrency(present) == isConcurrency(limit);
      shared = shared == null && alike ? counter : shared;
    }
    return shared == null ? counters.get((int) limit.group() & (COUNTERS - 1)) : shared;
  }

  private static boolean isConcurrency(Limit limit) {
    return limit.algorithm() == Algorithm.CONCURRENCY;
  }
}
