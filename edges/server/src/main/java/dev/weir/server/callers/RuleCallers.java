package dev.weir.server.callers;

import dev.weir.sketch.CounterBudget;
import dev.weir.sketch.FrequencySummary;
import dev.weir.sketch.HeavyHitters;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The heaviest callers of one rule, and how much of its limit is in use. Thread-safe. */
final class RuleCallers {
  private static final int MINUTE = 60;

  private final Map<Kind, HeavyHitters> sketches = new EnumMap<>(Kind.class);

  /**
   * The highest use since the last {@link #tick}, in percent. Threads may overwrite each other: a
   * peak that is missed by chance comes again if it matters.
   */
  private volatile int peak;

  /** The peak of each second of the last minute. */
  private final int[] peaks = new int[MINUTE];

  private int second;

  RuleCallers(int stripes, CounterBudget budget) {
    for (Kind kind : Kind.values()) {
      sketches.put(kind, new HeavyHitters(stripes, budget));
    }
  }

  void use(int percent) {
    if (percent > peak) {
      peak = percent;
    }
  }

  void add(Kind kind, long caller, @Nullable Supplier<CallerNote> note) {
    of(kind).add(caller, note);
  }

  private HeavyHitters of(Kind kind) {
    return Objects.requireNonNull(sketches.get(kind));
  }

  /** The callers of a kind, in the last minute or hour. */
  FrequencySummary summary(Kind kind, Window window) {
    return window == Window.MINUTE ? of(kind).minute() : of(kind).hour();
  }

  /** Ends a second. */
  synchronized void tick() {
    peaks[second] = peak;
    second = (second + 1) % MINUTE;
    peak = 0;
  }

  /** The highest use in the last minute, in percent. */
  synchronized int usedPercent() {
    int highest = peak;
    for (int one : peaks) {
      highest = Math.max(highest, one);
    }
    return highest;
  }

  /** Ends a generation; returns whether nothing has been counted for an hour. */
  boolean rotate() {
    boolean idle = true;
    for (HeavyHitters of : sketches.values()) {
      of.rotate();
      idle &= of.isIdle();
    }
    return idle;
  }
}
