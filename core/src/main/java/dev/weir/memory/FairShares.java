package dev.weir.memory;

import dev.weir.Limit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How much of the table the counters of each {@linkplain Limit#group() group} take up, and what the
 * fair share of one is: the room, divided by the groups that have any of it.
 *
 * <p>While there is room, everybody has what it takes. Where there is none, a group that has less
 * than its share may have a place of one that has more. So a flood of keys under one rule costs no
 * other rule its share, and a rule that keeps within its share loses no counter.
 *
 * <p>There is a fixed number of accounts. Groups that find none for themselves share one.
 */
final class FairShares {
  private static final int ACCOUNTS = 4_096;
  private static final int PROBES = 16;
  private static final long NOBODY = 0;

  private final long maxCells;
  private final AtomicLongArray groups = new AtomicLongArray(ACCOUNTS);
  private final AtomicLongArray cells = new AtomicLongArray(ACCOUNTS);
  private final AtomicInteger active = new AtomicInteger();

  FairShares(long maxCells) {
    this.maxCells = maxCells;
  }

  /** Notes that a counter of this limit takes up so many cells. */
  void add(Limit limit, long weight) {
    if (cells.getAndAdd(account(limit), weight) == 0) {
      active.incrementAndGet();
    }
  }

  /** Notes that a counter of this limit gives up so many cells. */
  void remove(Limit limit, long weight) {
    if (cells.addAndGet(account(limit), -weight) == 0) {
      active.decrementAndGet();
    }
  }

  /** What a group may have that all can have at once, with that of this limit among them. */
  long share(Limit limit) {
    int more = held(limit) == 0 ? 1 : 0;
    return maxCells / Math.max(1, active.get() + more);
  }

  /** How many cells the group of this limit takes up. */
  long held(Limit limit) {
    return cells.get(account(limit));
  }

  private int account(Limit limit) {
    long group = limit.group() == NOBODY ? 1 : limit.group();
    int home = (int) group & (ACCOUNTS - 1);
    for (int i = 0; i < PROBES; i++) {
      int index = (home + i) & (ACCOUNTS - 1);
      long known = groups.get(index);
      if (known == NOBODY && groups.compareAndSet(index, NOBODY, group)) {
        return index;
      }
      if (groups.get(index) == group) {
        return index;
      }
    }
    return home;
  }
}
