package dev.weir.memory;

import dev.weir.Limit;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * How much of the table the counters of each {@linkplain Limit#group() group} take up, and who may
 * have a place of whom.
 *
 * <p>While there is room, everybody has what it takes. Where there is none, a group may have a
 * place of one that has more than itself, and more than the fair share: the room, divided by the
 * groups that have any of it. So a flood of keys under one rule costs no other rule its room, and a
 * rule that keeps within its share loses no counter.
 */
final class FairShares {
  /** Marks an account that was given up, so that nobody adds to it. */
  private static final long CLOSED = Long.MIN_VALUE;

  private final long maxCells;

  /** The cells of each group that has any. */
  private final Map<Long, AtomicLong> accounts = new ConcurrentHashMap<>();

  FairShares(long maxCells) {
    this.maxCells = maxCells;
  }

  /** Notes that a counter of this limit takes up so many cells. */
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

  /** Notes that a counter of this limit gives up so many cells. */
  void remove(Limit limit, long weight) {
    AtomicLong account = accounts.get(limit.group());
    if (account != null && account.addAndGet(-weight) == 0 && account.compareAndSet(0, CLOSED)) {
      accounts.remove(limit.group(), account);
    }
  }

  /**
   * More than so many cells must a group have to make room for a counter of this limit.
   *
   * @param weight how many cells that takes up
   */
  long threshold(Limit limit, long weight) {
    AtomicLong account = accounts.get(limit.group());
    return Math.max(fairShare(account), cells(account) + weight);
  }

  /** Whether the group of this limit keeps within its share if it has so many cells more. */
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

  /** Whether any group has more cells than that. */
  boolean anyAbove(long threshold) {
    for (AtomicLong account : accounts.values()) {
      if (account.get() > threshold) {
        return true;
      }
    }
    return false;
  }

  /** How many cells the group of this limit takes up. */
  long held(Limit limit) {
    return cells(accounts.get(limit.group()));
  }
}
