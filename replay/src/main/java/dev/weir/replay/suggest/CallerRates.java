package dev.weir.replay.suggest;

import dev.weir.Limit;
import dev.weir.replay.measure.CountHistogram;
import dev.weir.replay.measure.WindowCounts;
import java.time.Duration;

/** How much single callers ask for in a second and in a minute. For one thread. */
final class CallerRates {
  private final WindowCounts seconds;
  private final WindowCounts minutes;
  private long requests;

  /** No requests yet, of at most so many callers in a window. */
  CallerRates(long maxCallers) {
    this.seconds = new WindowCounts(Limit.fixedWindow(1, Duration.ofSeconds(1)), maxCallers);
    this.minutes = new WindowCounts(Limit.fixedWindow(1, Duration.ofMinutes(1)), maxCallers);
  }

  void add(long caller, long micros) {
    requests++;
    boolean unused = seconds.add(caller, 1, micros);
    boolean unusedToo = minutes.add(caller, 1, micros);
  }

  long requests() {
    return requests;
  }

  /** What was asked for in a second, over all callers. To be called once. */
  CountHistogram seconds() {
    return seconds.finish();
  }

  /** What was asked for in a minute, over all callers. To be called once. */
  CountHistogram minutes() {
    return minutes.finish();
  }
}
