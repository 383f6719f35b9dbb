package dev.weir.replay.measure;

import java.util.Arrays;
import java.util.TreeMap;

/**
 * How often each number occurred. Exact for numbers below {@value #DENSE}; above, numbers are exact
 * until there are {@value #MAX_LARGE} different ones, and then rounded up by less than 1 %.
 *
 * <p>Not safe for use by several threads.
 */
public final class CountHistogram {
  private static final int DENSE = 1 << 16;
  private static final int MAX_LARGE = 1 << 16;
  private static final int INITIAL = 64;

  private long[] dense = new long[INITIAL];
  private TreeMap<Long, Long> large = new TreeMap<>();
  private boolean rounding;
  private long size;
  private long sum;

  /** Adds a number, which is not negative. */
  public void add(long number) {
    size++;
    sum += number;
    if (number < DENSE) {
      if (number >= dense.length) {
        dense = Arrays.copyOf(dense, Math.max((int) number + 1, Math.min(DENSE, 2 * dense.length)));
      }
      dense[(int) number]++;
    } else {
      large.merge(rounding ? rounded(number) : number, 1L, Long::sum);
      if (large.size() > MAX_LARGE) {
        round();
      }
    }
  }

  private void round() {
    rounding = true;
    TreeMap<Long, Long> coarse = new TreeMap<>();
    large.forEach((number, count) -> coarse.merge(rounded(number), count, Long::sum));
    large = coarse;
  }

  /** Rounds up to eight binary digits. */
  private static long rounded(long number) {
    int shift = Math.max(0, 56 - Long.numberOfLeadingZeros(number));
    return (number + (1L << shift) - 1) >>> shift << shift;
  }

  /** How many numbers were added. */
  public long size() {
    return size;
  }

  /**
   * The smallest number that so many of the numbers do not exceed; 0 if there are none.
   *
   * @param perMille how many, in a thousand
   */
  public long percentile(int perMille) {
    long wanted = (size * perMille + 999) / 1000;
    long seen = 0;
    for (int i = 0; i < dense.length; i++) {
      seen += dense[i];
      if (seen >= wanted && seen > 0) {
        return i;
      }
    }
    for (var entry : large.entrySet()) {
      seen += entry.getValue();
      if (seen >= wanted) {
        return entry.getKey();
      }
    }
    return 0;
  }

  /**
   * The lowest limit above which at most a share of the sum of all numbers lies: each number counts
   * by as much as it is above the limit.
   *
   * @param perMille the share, in thousandths
   */
  public long limitDenying(int perMille) {
    long allowed = sum / 1000 * perMille + sum % 1000 * perMille / 1000;
    long above = 0; // what lies above the limit
    long numbers = 0; // how many numbers are above it
    long limit = large.isEmpty() ? dense.length - 1 : large.lastKey();
    for (var entry : large.descendingMap().entrySet()) {
      long next = lower(limit, entry.getKey(), above, numbers, allowed);
      if (next >= 0) {
        return next;
      }
      above += numbers * (limit - entry.getKey());
      limit = entry.getKey();
      numbers += entry.getValue();
    }
    for (int i = dense.length - 1; i >= 0; i--) {
      long next = lower(limit, i, above, numbers, allowed);
      if (next >= 0) {
        return next;
      }
      above += numbers * (limit - i);
      limit = i;
      numbers += dense[i];
    }
    return 0;
  }

  /** The limit between two numbers beyond which too much would lie above; -1 if there is none. */
  private static long lower(long from, long to, long above, long numbers, long allowed) {
    if (numbers == 0 || above + numbers * (from - to) <= allowed) {
      return -1;
    }
    return from - (allowed - above) / numbers;
  }
}
