package dev.weir.server.live;

import java.util.Arrays;

/**
 * A number for each second of the last 15 minutes and for each minute of the last 24 hours. For one
 * thread at a time.
 */
final class Timeline {
  static final int SECONDS = 15 * 60;
  static final int MINUTES = 24 * 60;
  private static final int SECONDS_PER_MINUTE = 60;

  private final int[] seconds = new int[SECONDS];
  private final int[] minutes = new int[MINUTES];

  /**
   * Ends a second.
   *
   * @param second counted from any beginning, without gaps
   * @param value of this second; beyond the range of an int it is the largest one
   */
  void add(long second, long value) {
    seconds[(int) (second % SECONDS)] = bounded(value);
    int minute = minuteCell(second);
    if (second % SECONDS_PER_MINUTE == 0) {
      minutes[minute] = 0;
    }
    minutes[minute] = bounded((long) minutes[minute] + value);
  }

  private static int minuteCell(long second) {
    return (int) (second / SECONDS_PER_MINUTE % MINUTES);
  }

  private static int bounded(long value) {
    return (int) Math.max(0, Math.min(Integer.MAX_VALUE, value));
  }

  /** The last seconds up to one, the oldest first. */
  int[] seconds(long last, int count) {
    int[] values = new int[count];
    Arrays.setAll(values, i -> cell(seconds, last - count + 1 + i));
    return values;
  }

  /** The last whole minutes before the one of a second, the oldest first. */
  int[] minutes(long last, int count) {
    long minute = last / SECONDS_PER_MINUTE;
    int[] values = new int[count];
    Arrays.setAll(values, i -> cell(minutes, minute - count + i));
    return values;
  }

  private static int cell(int[] ring, long at) {
    return at < 0 ? 0 : ring[(int) (at % ring.length)];
  }

  /** The sum of the last seconds. */
  long sum(long last, int count) {
    long sum = 0;
    for (int one : seconds(last, count)) {
      sum += one;
    }
    return sum;
  }
}
