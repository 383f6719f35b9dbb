package dev.weir.guard;

import java.time.Duration;

/**
 * When a store is no longer waited for, and no longer asked.
 *
 * @param deadline by when each request is answered, with a failure if need be
 * @param failuresInARow as many in a row, and the store is not asked any more
 * @param failurePercent or as many in a hundred over {@link #RATE_SECONDS}
 * @param leastAnswers but only if there were so many answers and failures to judge by
 * @param recovery after so long a single request is let through to see
 */
public record GuardSettings(
    Duration deadline,
    int failuresInARow,
    int failurePercent,
    int leastAnswers,
    Duration recovery) {

  public static final int MAX_FAILURES = 1_000_000;
  public static final Duration LONGEST_RECOVERY = Duration.ofHours(1);

  /** Longer than any store's own deadline, which it stands behind. */
  private static final Duration LONGEST_DEADLINE = Duration.ofMinutes(2);

  private static final Duration BACKSTOP = Duration.ofSeconds(1);

  /** Over how long failures are set against answers. */
  public static final int RATE_SECONDS = 10;

  public static final GuardSettings DEFAULT =
      new GuardSettings(Duration.ofMillis(25), 10, 50, 100, Duration.ofSeconds(30));

  public GuardSettings {
    within("deadline in ms", deadline.toMillis(), 1, LONGEST_DEADLINE.toMillis());
    within("failures in a row", failuresInARow, 1, MAX_FAILURES);
    within("failure percent", failurePercent, 1, 100);
    within("least answers", leastAnswers, 1, 1_000_000_000);
    within("recovery in ms", recovery.toMillis(), 1, LONGEST_RECOVERY.toMillis());
  }

  private static void within(String name, long value, long least, long most) {
    if (value < least || value > most) {
      String expected = "between " + least + " and " + most;
      throw new IllegalArgumentException(name + ": " + value + " (expected: " + expected + ")");
    }
  }

  public GuardSettings withDeadline(Duration other) {
    return new GuardSettings(other, failuresInARow, failurePercent, leastAnswers, recovery);
  }

  /**
   * The same behind a store that keeps a deadline itself, and knows when this process was stalled
   * and what has become of a request by then: for a process that is stalled and stalled.
   */
  public GuardSettings behind(Duration storeDeadline) {
    return withDeadline(storeDeadline.plus(BACKSTOP));
  }

  /** When the store is no longer asked: after so many failures in a row, or in a hundred. */
  public GuardSettings withFailures(int inARow, int percent) {
    return new GuardSettings(deadline, inARow, percent, leastAnswers, recovery);
  }

  public GuardSettings withRecovery(Duration other) {
    return new GuardSettings(deadline, failuresInARow, failurePercent, leastAnswers, other);
  }
}
