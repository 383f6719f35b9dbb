package dev.weir.sketch;

import dev.weir.internal.Rejections;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The most frequent keys of the last minute and of the last hour.
 *
 * <p><b>How.</b> There are two {@link SpaceSaving generations}: one that is being counted, and the
 * one before. {@link #rotate}, which a timer calls every half minute, ends a generation; so a
 * minute covers the last 30 to 60 seconds. Ended generations are merged into those of the hour, of
 * 30 minutes each, which therefore cost the path of a request nothing.
 *
 * <p><b>Stripes.</b> The generation being counted has several sketches, so that threads do not wait
 * for each other: a thread takes the next one if another uses its own.
 *
 * <p>Safe for use by any number of threads.
 */
public final class HeavyHitters {
  /** The number of counters of a sketch: every key above 1/1024 of all additions is found. */
  public static final int MAX_COUNTERS = 1_024;

  /** How many generations of the minute make one of the hour. */
  static final int ROTATIONS_PER_GENERATION = 60;

  private final Stripe[] stripes;
  private final CounterBudget budget;
  private FrequencySummary previous = FrequencySummary.EMPTY;
  private FrequencySummary hour = FrequencySummary.EMPTY;
  private FrequencySummary previousHour = FrequencySummary.EMPTY;
  private int rotations;

  /** How many entries the three summaries have. */
  private int kept;

  /** A sketch, and whether a thread uses it. */
  private static final class Stripe {
    private final AtomicBoolean used = new AtomicBoolean();
    private @Nullable SpaceSaving sketch;
  }

  /**
   * Nothing counted yet.
   *
   * @param stripes how many threads may count at the same time, a power of two
   * @param budget bounds the counters of several of these
   * @throws IllegalArgumentException if {@code stripes} is no power of two
   */
  public HeavyHitters(int stripes, CounterBudget budget) {
    if (Integer.bitCount(stripes) != 1) {
      throw Rejections.of("stripes", stripes, "a power of two");
    }
    this.budget = budget;
    this.stripes = new Stripe[stripes];
    for (int i = 0; i < stripes; i++) {
      this.stripes[i] = new Stripe();
    }
  }

  /**
   * Counts a key.
   *
   * @param note makes what is to be noted about a key that is new; null for nothing
   */
  public void add(long key, @Nullable Supplier<?> note) {
    Stripe stripe = acquire();
    try {
      SpaceSaving sketch = stripe.sketch;
      if (sketch == null) {
        sketch = new SpaceSaving(MAX_COUNTERS, budget);
        stripe.sketch = sketch;
      }
      if (sketch.add(key) && note != null) {
        sketch.note(key, note.get());
      }
    } finally {
      stripe.used.set(false);
    }
  }

  /** Takes a free stripe, the one of this thread if possible. */
  private Stripe acquire() {
    int at = (int) Thread.currentThread().getId();
    while (true) {
      Stripe stripe = stripes[at & (stripes.length - 1)];
      if (!stripe.used.get() && stripe.used.compareAndSet(false, true)) {
        return stripe;
      }
      at++;
      Thread.onSpinWait();
    }
  }

  /** The keys of the last minute. */
  public synchronized FrequencySummary minute() {
    List<FrequencySummary> parts = new ArrayList<>(current());
    parts.add(previous);
    return FrequencySummary.merge(parts, MAX_COUNTERS);
  }

  /** The keys of the last hour. */
  public synchronized FrequencySummary hour() {
    List<FrequencySummary> parts = new ArrayList<>(current());
    parts.add(hour);
    parts.add(previousHour);
    return FrequencySummary.merge(parts, MAX_COUNTERS);
  }

  private List<FrequencySummary> current() {
    List<FrequencySummary> parts = new ArrayList<>();
    for (Stripe one : stripes) {
      Stripe stripe = acquire(one);
      try {
        if (stripe.sketch != null) {
          parts.add(stripe.sketch.summary());
        }
      } finally {
        stripe.used.set(false);
      }
    }
    return parts;
  }

  private static Stripe acquire(Stripe stripe) {
    while (!stripe.used.compareAndSet(false, true)) {
      Thread.onSpinWait();
    }
    return stripe;
  }

  /** Begins a new generation; for a timer, not for the path of a request. */
  public synchronized void rotate() {
    List<FrequencySummary> parts = new ArrayList<>();
    for (Stripe one : stripes) {
      SpaceSaving ended = end(one);
      if (ended != null) {
        parts.add(ended.summary());
        ended.release();
      }
    }
    FrequencySummary ended = FrequencySummary.merge(parts, MAX_COUNTERS);
    FrequencySummary generation = FrequencySummary.merge(List.of(hour, ended), MAX_COUNTERS);
    boolean ends = ++rotations % ROTATIONS_PER_GENERATION == 0;
    budget.drop(kept);
    kept = 0;
    previous = bounded(ended);
    previousHour = bounded(ends ? generation : previousHour);
    hour = bounded(ends ? FrequencySummary.EMPTY : generation);
  }

  /** What fits into the budget: of very many rules each keeps fewer entries. */
  private FrequencySummary bounded(FrequencySummary summary) {
    int room = budget.keep(summary.entries().size());
    kept += room;
    return room == summary.entries().size()
        ? summary
        : FrequencySummary.merge(List.of(summary), room);
  }

  private static @Nullable SpaceSaving end(Stripe one) {
    Stripe stripe = acquire(one);
    try {
      SpaceSaving ended = stripe.sketch;
      stripe.sketch = null;
      return ended;
    } finally {
      stripe.used.set(false);
    }
  }

  /** Whether nothing was counted for an hour, so that nothing is lost without this object. */
  public synchronized boolean isIdle() {
    return hour.total() == 0 && previousHour.total() == 0 && minute().total() == 0;
  }
}
