package dev.weir.sketch;

import java.util.Arrays;
import java.util.SplittableRandom;

/** Streams of a million keys, as callers and attackers send them. */
enum Streams {
  /** Few callers send most of it, as nearly always. */
  ZIPF {
    @Override
    long[] keys(SplittableRandom random) {
      double[] cumulated = new double[CALLERS];
      double sum = 0;
      for (int i = 0; i < CALLERS; i++) {
        sum += 1.0 / (i + 1);
        cumulated[i] = sum;
      }
      double all = sum;
      return fill(
          i -> {
            int found = Arrays.binarySearch(cumulated, random.nextDouble() * all);
            return found < 0 ? -found - 1 : found;
          });
    }
  },

  /** No caller sends more than others: there is nothing to find, and counts are all error. */
  UNIFORM {
    @Override
    long[] keys(SplittableRandom random) {
      return fill(i -> random.nextInt(CALLERS));
    }
  },

  /** One more caller than counters, in turns: each takes over the counter of the next one. */
  ROUND_ROBIN {
    @Override
    long[] keys(SplittableRandom random) {
      return fill(i -> i % (HeavyHitters.MAX_COUNTERS + 1));
    }
  },

  /** Callers just above the threshold come first, and then a million who never come again. */
  HEAVY_THEN_UNIQUE {
    @Override
    long[] keys(SplittableRandom random) {
      int heavy = 400;
      int each = SIZE / HeavyHitters.MAX_COUNTERS + 2;
      return fill(i -> i < heavy * each ? i % heavy : 1_000_000L + i);
    }
  },

  /** The same the other way round: the counters are all taken when the heavy callers come. */
  UNIQUE_THEN_HEAVY {
    @Override
    long[] keys(SplittableRandom random) {
      long[] keys = HEAVY_THEN_UNIQUE.keys(random);
      for (int i = 0; i < SIZE / 2; i++) {
        long key = keys[i];
        keys[i] = keys[SIZE - 1 - i];
        keys[SIZE - 1 - i] = key;
      }
      return keys;
    }
  };

  static final int SIZE = 1_000_000;
  private static final int CALLERS = 100_000;

  abstract long[] keys(SplittableRandom random);

  private interface Source {
    long key(int i);
  }

  /** Keys as hashes; which number has which hash is of no importance. */
  private static long[] fill(Source source) {
    long[] keys = new long[SIZE];
    for (int i = 0; i < SIZE; i++) {
      keys[i] = new SplittableRandom(source.key(i)).nextLong();
    }
    return keys;
  }
}
