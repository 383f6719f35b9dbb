package dev.weir.client.dispatch;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Exponential backoff with full jitter: the wait before retry {@code n} is random between zero and
 * {@code base * 2^(n-1)}, at most {@code max}.
 *
 * <p>With full jitter, callers that failed together do not come back together.
 */
record Backoff(Duration base, Duration max) {

  /**
   * The wait before a retry.
   *
   * @param retry the number of the retry, from 1
   */
  long nanos(int retry, RandomGenerator random) {
    long ceiling = max.toNanos();
    int doublings = retry - 1;
    if (doublings < Long.numberOfLeadingZeros(base.toNanos()) - 1) {
      ceiling = Math.min(ceiling, base.toNanos() << doublings);
    }
    return random.nextLong(ceiling + 1);
  }
}
