package dev.weir;

import java.math.BigInteger;

/**
 * The grain in which a limit is counted, chosen so that its rate is a whole number of units per
 * tick.
 */
record Scale(long tickMicros, long unitsPerTick, long unitsPerPermit) {
  static final Scale ONE = new Scale(1, 1, 1);

  /** What drains in the longest time a bucket may take to refill. */
  long mostUnitsToRefill() {
    long ticks = Limit.MAX_REFILL.toSeconds() * 1_000_000 / tickMicros;
    return ticks > Long.MAX_VALUE / unitsPerTick ? Long.MAX_VALUE : ticks * unitsPerTick;
  }

  /** A bucket's capacity and the deepest debt, as far as that can be counted and paid back. */
  long maxLevelUnits(long capacity, long permits) {
    long countable = Math.min(Limit.MAX_LEVEL_UNITS, mostUnitsToRefill());
    long most = countable / unitsPerPermit - capacity;
    return permits > most / Limit.MAX_DEBT_WINDOWS
        ? countable
        : (capacity + Limit.MAX_DEBT_WINDOWS * permits) * unitsPerPermit;
  }

  static Scale ofRate(long permits, long windowTicks, long tickMicros) {
    long gcd = BigInteger.valueOf(permits).gcd(BigInteger.valueOf(windowTicks)).longValueExact();
    return new Scale(tickMicros, permits / gcd, windowTicks / gcd);
  }
}
