package dev.weir.server;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/** A log of what was granted: when each was asked for, and when it was answered. */
final class Grants {
  private long[] asked = new long[1 << 10];
  private long[] answered = new long[1 << 10];
  private int size;

  void add(long askedNanos, long answeredNanos) {
    if (size == asked.length) {
      asked = Arrays.copyOf(asked, 2 * size);
      answered = Arrays.copyOf(answered, 2 * size);
    }
    asked[size] = askedNanos;
    answered[size++] = answeredNanos;
  }

  static Grants together(List<Grants> all) {
    Grants together = new Grants();
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
   * How many there were in a stretch of time so long, wherever it begins. Counts only what cannot
   * have been granted before or after it: what was answered by its end, less what was asked for
   * before it began.
   */
  long mostIn(Duration duration) {
    long[] starts = first(asked, size).sorted().toArray();
    long[] ends = first(answered, size).sorted().toArray();
    long most = 0;
    int answeredByThen = 0;
    for (int i = 0; i < size; i++) {
      while (answeredByThen < size && ends[answeredByThen] - starts[i] <= duration.toNanos()) {
        answeredByThen++;
      }
      most = Math.max(most, answeredByThen - i);
    }
    return most;
  }
}
