package dev.weir.benchmarks.redis;

import java.util.List;
import java.util.Locale;

/** The result of a {@link Task}, as a line of text. */
record Result(
    long decisions,
    long denied,
    double perSecond,
    double meanMicros,
    double p50Micros,
    double p99Micros) {

  /**
   * Computes the result.
   *
   * @param nanos the duration of each decision, sorted
   */
  static Result of(long[] nanos, long denied, long elapsedNanos) {
    int count = nanos.length;
    if (count == 0) {
      throw new IllegalStateException("no decision in " + elapsedNanos / 1_000_000 + " ms");
    }
    double total = 0;
    for (long duration : nanos) {
      total += duration;
    }
    return new Result(
        count,
        denied,
        count * 1e9 / elapsedNanos,
        total / count / 1e3,
        nanos[count / 2] / 1e3,
        nanos[(int) (count * 99L / 100)] / 1e3);
  }

  /** Combines the results of simultaneous processes; the durations are those of the slowest one. */
  static Result sum(List<Result> all) {
    return new Result(
        all.stream().mapToLong(Result::decisions).sum(),
        all.stream().mapToLong(Result::denied).sum(),
        all.stream().mapToDouble(Result::perSecond).sum(),
        all.stream().mapToDouble(Result::meanMicros).max().orElseThrow(),
        all.stream().mapToDouble(Result::p50Micros).max().orElseThrow(),
        all.stream().mapToDouble(Result::p99Micros).max().orElseThrow());
  }

  static Result parse(String line) {
    String[] words = line.split(" ", -1);
    return new Result(
        Long.parseLong(words[0]),
        Long.parseLong(words[1]),
        Double.parseDouble(words[2]),
        Double.parseDouble(words[3]),
        Double.parseDouble(words[4]),
        Double.parseDouble(words[5]));
  }

  String line() {
    return String.format(
        Locale.ROOT,
        "%d %d %.3f %.3f %.3f %.3f",
        decisions,
        denied,
        perSecond,
        meanMicros,
        p50Micros,
        p99Micros);
  }
}
