package dev.weir;

import dev.weir.internal.Divisor;
import dev.weir.internal.Scale;
import dev.weir.internal.Shape;
import dev.weir.time.CalendarWindow;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of a {@link Limit} in the integer form in which the algorithms count; {@link Limit}
 * explains the form and makes the numbers. This is a superclass and not a part, because every
 * decision reads these numbers, and a part would cost it one more load for each.
 */
abstract sealed class IntegerForm permits Limit {

  /**
   * What the operator wrote, validated, and the scale in which it is counted.
   *
   * @param calendar the calendar that a fixed window follows; null for windows of constant length
   */
  record Spec(
      Algorithm algorithm,
      long permits,
      long windowMicros,
      @Nullable CalendarWindow calendar,
      long capacity,
      Scale scale) {

    boolean isBucket() {
      return algorithm == Algorithm.TOKEN_BUCKET || algorithm == Algorithm.LEAKY_BUCKET;
    }

    /**
     * The number of this algorithm and window. A concurrency limit leaves its expiry out, because
     * the holders of its permits stay the same when the expiry changes.
     */
    long shape() {
      long shape = Shape.mixed(algorithm.name().hashCode());
      if (algorithm != Algorithm.CONCURRENCY) {
        shape = Shape.mixed(shape + windowMicros);
        shape = calendar == null ? shape : Shape.mixed(shape + calendar.toString().hashCode());
      }
      return shape;
    }

    /** The group of a limit that belongs to no rule. */
    long group() {
      return Shape.mixed(Shape.mixed(shape() + permits) + capacity);
    }
  }

  final Spec spec;

  private final Algorithm algorithm;
  private final long permits;
  private final long windowMicros;
  private final @Nullable CalendarWindow calendar;
  private final long capacity;
  private final long tickMicros;
  private final long windowTicks;
  private final Divisor unitsPerTick;
  private final Divisor unitsPerPermit;
  private final long capacityUnits;
  private final long maxLevelUnits;
  private final long longestDrainTicks;
  private final long maxAheadTicks;
  private final long shape;

  IntegerForm(Spec spec) {
    this.spec = spec;
    this.algorithm = spec.algorithm();
    this.permits = spec.permits();
    this.windowMicros = spec.windowMicros();
    this.calendar = spec.calendar();
    this.capacity = spec.capacity();
    Scale scale = spec.scale();
    this.tickMicros = scale.tickMicros();
    this.windowTicks = windowMicros / scale.tickMicros();
    this.unitsPerTick = Divisor.of(scale.unitsPerTick());
    this.unitsPerPermit = Divisor.of(scale.unitsPerPermit());
    this.capacityUnits = capacity * scale.unitsPerPermit();
    this.maxLevelUnits = scale.maxLevelUnits(capacity, permits);
    this.longestDrainTicks = maxLevelUnits / scale.unitsPerTick() + 1;
    this.maxAheadTicks =
        Math.max(windowTicks, spec.isBucket() ? unitsPerTick.ceil(capacityUnits) : 0);
    this.shape = spec.shape();
  }

  /** How the limit counts. */
  public final Algorithm algorithm() {
    return algorithm;
  }

  /** Permits per window, or permits held at the same time. */
  public final long permits() {
    return permits;
  }

  /**
   * The maximum number of permits that can be taken at one moment: the burst of a token bucket, the
   * queue of a leaky bucket plus one, the permits of all others.
   */
  public final long capacity() {
    return capacity;
  }

  /** The window, of a calendar the longest one; for a concurrency limit, a permit's expiry. */
  public final Duration window() {
    return Duration.ofSeconds(windowMicros / 1_000_000, windowMicros % 1_000_000 * 1_000);
  }

  /** {@link #window()} in microseconds. */
  public final long windowMicros() {
    return windowMicros;
  }

  /** The calendar that the fixed windows follow; empty if all have the length {@link #window()}. */
  public final Optional<CalendarWindow> calendar() {
    return Optional.ofNullable(calendar);
  }

  /** The start of the fixed window that contains {@code micros}. */
  public final long windowStartMicros(long micros) {
    return calendar == null ? micros - micros % windowMicros : calendar.startMicros(micros);
  }

  /** The end of the fixed window that starts at {@code startMicros}. */
  public final long windowEndMicros(long startMicros) {
    return calendar == null ? startMicros + windowMicros : calendar.endMicros(startMicros);
  }

  /** The length of a tick, the resolution of time in which this limit counts. */
  public final long tickMicros() {
    return tickMicros;
  }

  /** {@link #window()} in ticks. */
  public final long windowTicks() {
    return windowTicks;
  }

  /** The units that drain from a bucket in one tick. */
  public final long unitsPerTick() {
    return unitsPerTick.divisor();
  }

  /** The ticks in which {@code units} drain from a bucket, rounded up. */
  public final long drainTicks(long units) {
    return unitsPerTick.ceil(units);
  }

  /** The units that make up one permit. */
  public final long unitsPerPermit() {
    return unitsPerPermit.divisor();
  }

  /** Whole permits in {@code units}, rounded down, also below zero. */
  public final long permitsIn(long units) {
    return units < 0 ? -unitsPerPermit.ceil(-units) : unitsPerPermit.floor(units);
  }

  /** {@link #capacity()} in units. */
  public final long capacityUnits() {
    return capacityUnits;
  }

  /**
   * The maximum level of a bucket, in units, however much is charged to it: its capacity plus
   * {@link Limit#MAX_DEBT_WINDOWS} windows' worth of permits.
   */
  public final long maxLevelUnits() {
    return maxLevelUnits;
  }

  /** The ticks after which a bucket is empty whatever its level was. */
  public final long longestDrainTicks() {
    return longestDrainTicks;
  }

  /**
   * The maximum number of ticks by which a counter's time may be ahead of the clock: a window, or
   * the time in which a bucket refills. A counter further ahead was written by a clock that has
   * been set back since; it counts as never used, so that no caller waits longer than this.
   */
  public final long maxAheadTicks() {
    return maxAheadTicks;
  }

  /** Whether a counter written at tick {@code at} is too far ahead of the clock to count. */
  public final boolean isAhead(long at, long nowMicros) {
    return at - nowMicros / tickMicros > maxAheadTicks;
  }

  /**
   * A number for algorithm and window, for a concurrency limit for the algorithm alone. It is the
   * same for every such limit in every process: {@link Claim#of} makes it part of the key.
   */
  public final long shape() {
    return shape;
  }

  /** Whether a counter written under one of the two limits can be read under the other. */
  public final boolean countsLike(Limit limit) {
    IntegerForm other = limit;
    return algorithm == other.algorithm
        && permits == other.permits
        && windowMicros == other.windowMicros
        && capacity == other.capacity
        && Objects.equals(calendar, other.calendar);
  }
}
