package dev.weir.shared;

import dev.weir.internal.Rejections;
import java.time.Duration;

/**
 * When a call to a store times out, and when circuit breakers open and close.
 *
 * @param deadline the time after which a call that is not answered fails
 * @param consecutiveFailures how many failures in a row open a circuit breaker
 * @param failurePercent the failure rate over {@link #RATE_SECONDS} that opens a circuit breaker
 * @param minimumCalls how many calls it takes before the failure rate counts
 * @param openDuration how long an open circuit breaker rejects calls before one passes as a probe
 */
public record GuardSettings(
    Duration deadline,
    int consecutiveFailures,
    int failurePercent,
    int minimumCalls,
    Duration openDuration) {

  /** The maximum of {@link #consecutiveFailures}. */
  public static final int MAX_FAILURES = 1_000_000;

  /** The maximum of {@link #openDuration}. */
  public static final Duration MAX_OPEN_DURATION = Duration.ofHours(1);

  /** Longer than any deadline of a store itself, behind which this one is a backstop. */
  private static final Duration MAX_DEADLINE = Duration.ofMinutes(2);

  private static final Duration BACKSTOP = Duration.ofSeconds(1);

  /** The sliding window of the failure rate, in seconds. */
  public static final int RATE_SECONDS = 10;

  /** 25 ms; 10 failures in a row, or 50% of at least 100 calls; open for 30 s. */
  public static final GuardSettings DEFAULT =
      new GuardSettings(Duration.ofMillis(25), 10, 50, 100, Duration.ofSeconds(30));

  /** Rejects values out of range with an {@link IllegalArgumentException}. */
  public GuardSettings {
    Rejections.between("deadline in ms", deadline.toMillis(), 1, MAX_DEADLINE.toMillis());
    Rejections.between("consecutive failures", consecutiveFailures, 1, MAX_FAILURES);
    Rejections.between("failure percent", failurePercent, 1, 100);
    Rejections.between("minimum calls", minimumCalls, 1, 1_000_000_000);
    Rejections.between(
        "open duration in ms", openDuration.toMillis(), 1, MAX_OPEN_DURATION.toMillis());
  }

  /** These settings with another deadline. */
  public GuardSettings withDeadline(Duration other) {
    return new GuardSettings(
        other, consecutiveFailures, failurePercent, minimumCalls, openDuration);
  }

  /**
   * These settings with a deadline that is only a backstop, for a store that keeps a deadline
   * itself. Such a store knows when this process was stalled and what became of a request by then;
   * the backstop matters only where the process stalls again and again.
   */
  public GuardSettings asBackstopOf(Duration storeDeadline) {
    return withDeadline(storeDeadline.plus(BACKSTOP));
  }

  /** These settings with other thresholds for opening a circuit breaker. */
  public GuardSettings withFailures(int consecutive, int percent) {
    return new GuardSettings(deadline, consecutive, percent, minimumCalls, openDuration);
  }

  /** These settings with another open duration. */
  public GuardSettings withOpenDuration(Duration other) {
    return new GuardSettings(deadline, consecutiveFailures, failurePercent, minimumCalls, other);
  }
}
