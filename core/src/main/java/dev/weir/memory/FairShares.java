package dev.weir.memory;

import dev.weir.Limit;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * How many cells of the table each {@linkplain Limit#group() group} occupies, and which group may
 * evict counters of which.
 *
 * <p>While there is room, any group may occupy it. When the table is full, a group may evict from a
 * group that has more cells than itself, and more than the fair share: the capacity divided by the
 * number of groups in the table. So a flood of keys under one rule costs no other rule its room,
 * and a rule within its share loses no counter.
 *
 * <p>Safe for use by any number of threads.
 */
final class FairShares {
  /** Marks a removed account, so that no thread adds to it. */
  private static final long CLOSED = Long.MIN_VALUE;

  private final long maxCells;

  /** The cells of each group that occupies any. */
  private final Map<Long, AtomicLong> accounts = new ConcurrentHashMap<>();

  FairShares(long maxCells) {
    this.maxCells = maxCells;
  }

  /** Adds the cells of a counter of this limit to its group. */
  void add(Limit limit, long weight) {
    while (true) {
      AtomicLong account = accounts.computeIfAbsent(limit.group(), group -> new AtomicLong());
      long cells = account.get();
      if (cells == CLOSED) {
        accounts.remove(limit.group(), account);
      } else if (account.compareAndSet(cells, cells + weight)) {
        return;
      }
    }
  }

  /** Removes the cells of a counter of this limit from its group. */
  void remove(Limit limit, long weight) {
    AtomicLong account = accounts.get(limit.group());
    if (account != null && account.addAndGet(-weight) == 0 && account.compareAndSet(0, CLOSED)) {
      accounts.remove(limit.group(), account);
    }
  }

  /**
   * The number of cells above which a group must make room for a counter of this limit.
   *
   * @param weight the cells of that counter
   */
  long threshold(Limit limit, long weight) {
    AtomicLong account = accounts.get(limit.group());
    return Math.max(fairShare(account), cells(account) + weight);
  }

  /** Whether the group of this limit stays within its share with {@code weight} more cells. */
  boolean isWithin(Limit limit, long weight) {
    AtomicLong account = accounts.get(limit.group());
    return cells(account) + weight <= fairShare(account);
  }

  private long fairShare(@Nullable AtomicLong account) {
    int groups = accounts.size() + (account == null ? 1 : 0);
    return maxCells / Math.max(1, groups);
  }

  private static long cells(@Nullable AtomicLong account) {
    return account == null ? 0 : Math.max(0, account.get());
  }

  /** Whether any group has more cells than {@code threshold}. */
  boolean anyAbove(long threshold) {
    for (AtomicLong account : accounts.values()) {
      if (account.get() > threshold) {
        return true;
      }
    }
    return false;
  }

  /** How many cells the group of this limit occupies. */
  long held(Limit limit) {
    return cells(accounts.get(limit.group()));
  }
}
