package dev.weir.sketch;

import java.util.concurrent.atomic.AtomicLong;

/** Bounds how many counters several sketches have together. Thread-safe. */
public final class CounterBudget {
  private final long max;
  private final AtomicLong used = new AtomicLong();

  /** A budget of so many counters; each sketch has a few even beyond that. */
  public CounterBudget(long max) {
    this.max = max;
  }

  static CounterBudget unlimited() {
    return new CounterBudget(Long.MAX_VALUE);
  }

  /** Takes counters; returns false, and takes none, if there are not so many. */
  boolean take(int counters) {
    long before = used.get();
    while (before + counters <= max) {
      if (used.compareAndSet(before, before + counters)) {
        return true;
      }
      before = used.get();
    }
    return false;
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
