package dev.weir.server;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/** A log of grants: when each was requested, and when it was answered. */
public final class GrantLog {
  private long[] asked = new long[1 << 10];
  private long[] answered = new long[1 << 10];
  private int size;

  public void add(long askedNanos, long answeredNanos) {
    if (size == asked.length) {
      asked = Arrays.copyOf(asked, 2 * size);
      answered = Arrays.copyOf(answered, 2 * size);
    }
    asked[size] = askedNanos;
    answered[size++] = answeredNanos;
  }

  public static GrantLog together(List<GrantLog> all) {
    GrantLog together = new GrantLog();
    together.asked = all.stream().flatMapToLong(one -> first(one.asked, one.size)).toArray();
    together.answered = all.stream().flatMapToLong(one -> first(one.answered, one.size)).toArray();
    together.size = together.asked.length;
    return together;
  }

  private static LongStream first(long[] values, int count) {
    return Arrays.stream(values, 0, count);
  }

  int size() {
    return size;
  }

  /**
   * The maximum number of grants in any period of this length. Counts only grants that must lie
   * within it: those answered by its end, less those requested before it began.
   */
  long mostIn(Duration duration) {
    long[] starts = first(asked, size).sorted().toArray();
    long[] ends = first(answered, size).sorted().toArray();
    long max = 0;
    int answeredByThen = 0;
    for (int i = 0; i < size; i++) {
      while (answeredByThen < size && ends[answeredByThen] - starts[i] <= duration.toNanos()) {
        answeredByThen++;
      }
      max = Math.max(max, answeredByThen - i);
    }
    return max;
  }
}
