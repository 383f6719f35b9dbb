package dev.weir.simulation.model;

import dev.weir.Limit;
import org.jspecify.annotations.Nullable;

/**
 * The local grants of one server that are not yet charged to the store, for one counter.
 *
 * <p>They refill by the clock of the server, at the rate of its part of the limit. When the part
 * changes, the rest is converted in whole permits.
 */
public final class PendingChargeModel {
  private @Nullable Limit localLimit;
  private @Nullable CounterModel counter;
  private long lastMicros = Long.MIN_VALUE;
  private boolean monotonic = true;
  private boolean mayBeEvicted;

  /** Adds a local grant. */
  public void add(long micros, long permits, Limit newLocalLimit) {
    CounterModel current = counter;
    if (current == null || localLimit == null || !newLocalLimit.countsLike(localLimit)) {
      long before = current == null ? 0 : maxUsed(micros);
      current = new CounterModel(newLocalLimit);
      current.add(micros, before);
      localLimit = newLocalLimit;
      counter = current;
    }
    advanceTo(micros);
    mayBeEvicted &= !current.isAhead(micros); // a counter too far ahead starts anew
    current.add(micros, permits);
  }

  /** The maximum that is pending. */
  public long maxUsed(long micros) {
    advanceTo(micros);
    return counter == null ? 0 : counter.used(micros);
  }

  /**
   * The minimum that is pending. If the clock was set back, it is what was pending by the latest
   * time that the clock showed; if it was set back by more than a counter waits for, it is zero.
   */
  public long minUsed(long micros) {
    long used = maxUsed(micros);
    long min = monotonic || counter == null ? used : Math.min(used, counter.used(lastMicros));
    return mayBeEvicted ? 0 : min;
  }

  /** Records that all of it was charged. */
  public void clear() {
    counter = null;
    monotonic = true;
    mayBeEvicted = false;
    lastMicros = Long.MIN_VALUE;
  }

  /** Records a time of the server's clock. */
  public void advanceTo(long micros) {
    monotonic &= micros >= lastMicros;
    mayBeEvicted |= counter != null && counter.isAhead(micros);
    lastMicros = Math.max(lastMicros, micros);
  }
}
