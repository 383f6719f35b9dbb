package dev.weir.sketch;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Bounds how many counters several sketches have together, and how many entries the summaries of
 * those that have ended. Thread-safe.
 */
public final class CounterBudget {
  private final long max;
  private final AtomicLong used = new AtomicLong();
  private final AtomicLong kept = new AtomicLong();

  /**
   * A budget of so many counters, and as many entries; each sketch and each summary has a few even
   * beyond that.
   */
  public CounterBudget(long max) {
    this.max = max;
  }

  static CounterBudget unlimited() {
    return new CounterBudget(Long.MAX_VALUE);
  }

  /** Takes counters; returns false, and takes none, if there are not so many. */
  boolean take(int counters) {
    return take(used, counters);
  }

  private boolean take(AtomicLong from, int number) {
    long before = from.get();
    while (before + number <= max) {
      if (from.compareAndSet(before, before + number)) {
        return true;
      }
      before = from.get();
    }
    return false;
  }

  /** Takes room for the entries of a summary: for all, a half of them, a quarter, or a few. */
  int keep(int entries) {
    for (int number = entries; number > SpaceSaving.INITIAL; number /= 2) {
      if (take(kept, number)) {
        return number;
      }
    }
    int few = Math.min(entries, SpaceSaving.INITIAL);
    kept.addAndGet(few);
    return few;
  }

  /** Gives room for entries back. */
  void drop(int entries) {
    kept.addAndGet(-entries);
  }

  /** Takes counters even beyond the maximum: what is there at least. */
  void takeAnyway(int counters) {
    used.addAndGet(counters);
  }

  void give(int counters) {
    used.addAndGet(-counters);
  }

  /** How many counters there are. */
  public long used() {
    return used.get();
  }
}
