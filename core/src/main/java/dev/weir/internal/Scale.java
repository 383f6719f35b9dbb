package dev.weir.internal;

import java.math.BigInteger;
import java.time.Duration;

/**
 * The resolution in which a limit is counted, chosen so that its rate is a whole number of units
 * per tick.
 */
public record Scale(long tickMicros, long unitsPerTick, long unitsPerPermit) {
  /** The longest time a bucket may take to refill. */
  public static final Duration MAX_REFILL = Duration.ofDays(36_525);

  /** The maximum capacity, in units. */
  public static final long MAX_CAPACITY_UNITS = 1L << 51;

  /** The maximum level, in units. */
  public static final long MAX_LEVEL_UNITS = 1L << 52;

  /** The maximum debt of a bucket, in windows. */
  public static final int MAX_DEBT_WINDOWS = 4;

  /** A tick of one microsecond and a unit of one permit. */
  public static final Scale ONE = new Scale(1, 1, 1);

  private static final long[] TICKS_MICROS = {1, 1_000, 1_000_000};

  /**
   * The finest scale in which a bucket can be counted.
   *
   * @param field the name of {@code extra} in error messages
   * @param extra the burst or queue of the bucket
   * @param base the capacity beyond {@code extra}
   * @throws IllegalArgumentException if there is no such scale
   */
  public static Scale ofBucket(
      long permits, Duration window, long micros, String field, long extra, long base) {
    long max = 0;
    for (long tick : TICKS_MICROS) {
      if (micros % tick == 0) {
        Scale scale = ofRate(permits, micros / tick, tick);
        long countable = Math.min(MAX_CAPACITY_UNITS, scale.maxUnitsToRefill());
        max = countable / scale.unitsPerPermit;
        if (extra + base <= max) {
          return scale;
        }
      }
    }
    String expected = "at most " + (max - base) + " at " + permits + " permits per " + window;
    throw Rejections.of(field, extra, expected);
  }

  /**
   * The finest scale in which a sliding counter can be counted.
   *
   * @throws IllegalArgumentException if there is no such scale
   */
  public static Scale ofCounter(long permits, Duration window, long micros) {
    long max = 0;
    for (long tick : TICKS_MICROS) {
      if (micros % tick == 0) {
        max = MAX_CAPACITY_UNITS / (micros / tick);
        if (permits <= max) {
          return new Scale(tick, 1, micros / tick);
        }
      }
    }
    throw Rejections.of("permits", permits, "at most " + max + " for a window of " + window);
  }

  /** The units that drain in {@link #MAX_REFILL}. */
  long maxUnitsToRefill() {
    long ticks = MAX_REFILL.toSeconds() * 1_000_000 / tickMicros;
    return ticks > Long.MAX_VALUE / unitsPerTick ? Long.MAX_VALUE : ticks * unitsPerTick;
  }

  /** A bucket's capacity plus its maximum debt, as far as that can be counted and drained. */
  public long maxLevelUnits(long capacity, long permits) {
    long countable = Math.min(MAX_LEVEL_UNITS, maxUnitsToRefill());
    long max = countable / unitsPerPermit - capacity;
    return permits > max / MAX_DEBT_WINDOWS
        ? countable
        : (capacity + MAX_DEBT_WINDOWS * permits) * unitsPerPermit;
  }

  private static Scale ofRate(long permits, long windowTicks, long tickMicros) {
    long gcd = BigInteger.valueOf(permits).gcd(BigInteger.valueOf(windowTicks)).longValueExact();
    return new Scale(tickMicros, permits / gcd, windowTicks / gcd);
  }
}
