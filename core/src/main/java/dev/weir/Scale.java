package dev.weir;

import java.math.BigInteger;
import java.time.Duration;

/**
 * The grain in which a limit is counted, chosen so that its rate is a whole number of units per
 * tick.
 */
record Scale(long tickMicros, long unitsPerTick, long unitsPerPermit) {
  static final Scale ONE = new Scale(1, 1, 1);

  private static final long[] TICKS_MICROS = {1, 1_000, 1_000_000};

  /**
   * The finest in which a bucket can be counted.
   *
   * @param extra its burst or queue, by the name of {@code field}
   * @param base what its capacity has beyond that
   * @throws IllegalArgumentException if there is none
   */
  static Scale ofBucket(
      long permits, Duration window, long micros, String field, long extra, long base) {
    long max = 0;
    for (long tick : TICKS_MICROS) {
      if (micros % tick == 0) {
        Scale scale = ofRate(permits, micros / tick, tick);
        long countable = Math.min(Limit.MAX_CAPACITY_UNITS, scale.mostUnitsToRefill());
        max = countable / scale.unitsPerPermit;
        if (extra + base <= max) {
          return scale;
        }
      }
    }
    String expected = "at most " + (max - base) + " at " + permits + " permits per " + window;
    throw Refusal.of(field, extra, expected);
  }

  /**
   * The finest in which a sliding counter can be counted.
   *
   * @throws IllegalArgumentException if there is none
   */
  static Scale ofCounter(long permits, Duration window, long micros) {
    long max = 0;
    for (long tick : TICKS_MICROS) {
      if (micros % tick == 0) {
        max = Limit.MAX_CAPACITY_UNITS / (micros / tick);
        if (permits <= max) {
          return new Scale(tick, 1, micros / tick);
        }
      }
    }
    throw Refusal.of("permits", permits, "at most " + max + " for a window of " + window);
  }

  /** What drains in the longest time a bucket may take to refill. */
  long mostUnitsToRefill() {
    long ticks = Limit.MAX_REFILL.toSeconds() * 1_000_000 / tickMicros;
    return ticks > Long.MAX_VALUE / unitsPerTick ? Long.MAX_VALUE : ticks * unitsPerTick;
  }

  /** A bucket's capacity and the deepest debt, as far as that can be counted and paid back. */
  long maxLevelUnits(long capacity, long permits) {
    long countable = Math.min(Limit.MAX_LEVEL_UNITS, mostUnitsToRefill());
    long max = countable / unitsPerPermit - capacity;
    return permits > max / Limit.MAX_DEBT_WINDOWS
        ? countable
        : (capacity + Limit.MAX_DEBT_WINDOWS * permits) * unitsPerPermit;
  }

  private static Scale ofRate(long permits, long windowTicks, long tickMicros) {
    long gcd = BigInteger.valueOf(permits).gcd(BigInteger.valueOf(windowTicks)).longValueExact();
    return new Scale(tickMicros, permits / gcd, windowTicks / gcd);
  }
}
