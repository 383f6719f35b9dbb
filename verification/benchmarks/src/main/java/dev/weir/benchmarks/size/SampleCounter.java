package dev.weir.benchmarks.size;

import dev.weir.Algorithm;
import dev.weir.Limit;
import java.time.Duration;
import java.util.List;

/**
 * A counter to measure.
 *
 * @param name as in the tables
 * @param entries the takes from each key, which a list remembers one by one
 */
record SampleCounter(String name, Limit limit, int entries) {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final long NEVER_REACHED = 1_000_000;

  /** Filled as full as they get; those that are no lists have been used in two windows. */
  static List<SampleCounter> filled() {
    return List.of(
        new SampleCounter("token bucket", Limit.tokenBucket(100, HOUR), 1),
        new SampleCounter("leaky bucket", Limit.leakyBucket(100, HOUR, 20), 1),
        new SampleCounter("fixed window", Limit.fixedWindow(100, HOUR), 1),
        new SampleCounter("sliding counter", Limit.slidingCounter(100, HOUR), 2),
        new SampleCounter("sliding log, 5 grants", Limit.slidingLog(5, HOUR), 5),
        new SampleCounter("concurrency, 5 holders", Limit.concurrent(5, HOUR), 5));
  }

  /** Lists that are long. */
  static List<SampleCounter> longLists() {
    return List.of(
        new SampleCounter("sliding log, 100 grants", Limit.slidingLog(100, HOUR), 100),
        new SampleCounter("sliding log, 1,000 grants", Limit.slidingLog(1_000, HOUR), 1_000),
        new SampleCounter("concurrency, 100 holders", Limit.concurrent(100, HOUR), 100));
  }

  /** Limits that grant what is asked for while Redis is measured. */
  static List<SampleCounter> busy() {
    return List.of(
        new SampleCounter("token-bucket", Limit.tokenBucket(NEVER_REACHED, SECOND), 0),
        new SampleCounter("leaky-bucket", Limit.leakyBucket(NEVER_REACHED, SECOND, 1_000), 0),
        new SampleCounter("fixed-window", Limit.fixedWindow(NEVER_REACHED, SECOND), 0),
        new SampleCounter("sliding-counter", Limit.slidingCounter(NEVER_REACHED, SECOND), 0),
        new SampleCounter("sliding-log", Limit.slidingLog(1_000, SECOND), 0),
        new SampleCounter("concurrency", Limit.concurrent(1_000, SECOND), 0));
  }

  boolean isHeld() {
    return limit.algorithm() == Algorithm.CONCURRENCY;
  }

  /** The window after the first take of a sliding counter; else a moment. */
  long pauseMicros() {
    return limit.algorithm() == Algorithm.SLIDING_COUNTER ? limit.windowMicros() : 1_000;
  }
}
