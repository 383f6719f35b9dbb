package dev.weir.replay.run;

import dev.weir.replay.result.Spread;
import java.util.Arrays;
import java.util.SplittableRandom;

/** Moments for requests of which a log tells the second alone. For one thread. */
public final class SpreadTimes {
  private final SplittableRandom random;

  /** Moments that are always the same for a seed. */
  public SpreadTimes(long seed) {
    this.random = new SplittableRandom(seed);
  }

  /**
   * The moments of a number of requests, in order.
   *
   * @param from the earliest moment
   * @param length of the time in which they arrive
   */
  public long[] of(Spread spread, int count, long from, long length) {
    long[] times = new long[count];
    for (int i = 0; i < count; i++) {
      times[i] =
          switch (spread) {
            case START -> from;
            case EVEN -> from + (long) ((double) length * i / count);
            case RANDOM -> from + random.nextLong(length);
          };
    }
    if (spread == Spread.RANDOM) {
      Arrays.sort(times);
    }
    return times;
  }
}
