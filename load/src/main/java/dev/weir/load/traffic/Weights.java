package dev.weir.load.traffic;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/** Draws an index, each as often as its weight says. */
final class Weights {
  private final long[] sums;

  Weights(long[] weights) {
    sums = weights.clone();
    Arrays.parallelPrefix(sums, Long::sum);
  }

  int draw(RandomGenerator random) {
    long drawn = random.nextLong(sums[sums.length - 1]);
    int found = Arrays.binarySearch(sums, drawn);
    // A sum is the first number of the next index; an insertion point is the index itself.
    return found >= 0 ? found + 1 : -found - 1;
  }
}
