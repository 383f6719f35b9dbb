package dev.weir.server.shed;

import dev.weir.rules.gateway.SheddingSettings;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.IntUnaryOperator;

/**
 * Sheds requests of low priority while too many are in flight, or while they wait too long.
 * Priority 0 is never shed.
 *
 * <p>A priority is shed from its threshold on, and then until the load is 5 % of the capacity below
 * it, so that it does not flap. Safe for use by any number of threads. An admitted request takes no
 * lock.
 */
public final class LoadShedder {
  private static final int HYSTERESIS_PERCENT = 5;

  /** Clients of priority 1 come back within 1 to 3 seconds, those of 2 within 5, of 3 within 7. */
  private static final int SPREAD_SECONDS = 2;

  private final int capacity;

  /** By priority, the requests in flight from which on it is shed. */
  private final int[] shedFrom = new int[SheddingSettings.LOWEST + 1];

  /** By priority, the requests in flight below which it is admitted again. */
  private final int[] admitBelow = new int[SheddingSettings.LOWEST + 1];

  /** By priority, 1 while it is shed. */
  private final AtomicIntegerArray shedding = new AtomicIntegerArray(SheddingSettings.LOWEST + 1);

  private final Optional<QueueDelaySignal> queueDelay;
  private final ShedCounters counters;
  private final IntUnaryOperator random;
  private volatile int inFlight;

  /**
   * A shedder that admits everything at first.
   *
   * @param random a number from 0 on and below its argument; safe for use by any number of threads
   */
  public LoadShedder(SheddingSettings settings, ShedCounters counters, IntUnaryOperator random) {
    this.capacity = settings.capacity();
    int margin = percent(HYSTERESIS_PERCENT);
    for (int priority = 1; priority < shedFrom.length; priority++) {
      shedFrom[priority] = percent(settings.thresholds().get(priority - 1));
      admitBelow[priority] = Math.max(1, shedFrom[priority] - margin);
    }
    this.queueDelay = settings.queueDelay().map(QueueDelaySignal::new);
    this.counters = counters;
    this.random = random;
  }

  /** The share of the capacity, rounded up. */
  private int percent(int percent) {
    return (int) (((long) capacity * percent + 99) / 100);
  }

  /**
   * Decides whether a request goes on.
   *
   * @param priority from 0 to {@link SheddingSettings#LOWEST}
   * @param others the requests in flight, without this one
   * @param nowNanos a monotonic time
   * @throws IndexOutOfBoundsException if there is no such priority
   */
  public Verdict admit(int priority, int others, long nowNanos) {
    Objects.checkIndex(priority, shedFrom.length);
    inFlight = others;
    if (priority > 0) {
      if (isFull(priority, others)) {
        return shed(priority, Verdict.Reason.CAPACITY);
      }
      if (queueDelay.isPresent() && queueDelay.get().sheds(priority, nowNanos)) {
        return shed(priority, Verdict.Reason.QUEUE_DELAY);
      }
    }
    counters.addAdmitted(priority);
    return Verdict.ADMITTED;
  }

  private boolean isFull(int priority, int others) {
    boolean before = shedding.get(priority) == 1;
    boolean now = others >= (before ? admitBelow[priority] : shedFrom[priority]);
    if (now != before) {
      shedding.set(priority, now ? 1 : 0);
    }
    return now;
  }

  private Verdict shed(int priority, Verdict.Reason reason) {
    counters.addShed(priority, reason);
    return new Verdict.Shed(reason, 1 + random.applyAsInt(1 + SPREAD_SECONDS * priority));
  }

  /**
   * Learns how long a request has waited before its work began.
   *
   * @param nowNanos a monotonic time
   */
  public void onQueueDelay(long delayNanos, long nowNanos) {
    queueDelay.ifPresent(signal -> signal.onDelay(delayNanos, nowNanos));
  }

  /** The requests in flight at the latest request, in percent of the capacity. */
  public int utilisationPercent() {
    return (int) Math.min(Integer.MAX_VALUE, 100L * Math.max(0, inFlight) / capacity);
  }
}
