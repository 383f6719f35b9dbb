package dev.weir.replay.measure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What counts as a retry after a denial that the log records. */
class RetryDetectorTest {
  private static final long SECOND = 1_000_000;

  private final RetryDetector detector = new RetryDetector();

  @Test
  void sameRequestSoonAfterADenialIsARetry() {
    assertThat(detector.isRetry(7, 429, 0)).isFalse();
    assertThat(detector.isRetry(8, 200, SECOND)).as("of another").isFalse();
    assertThat(detector.isRetry(7, 200, 2 * SECOND)).isTrue();
    assertThat(detector.isRetry(7, 200, 3 * SECOND)).as("after it has passed").isFalse();
    assertThat(detector.denied()).isEqualTo(1);
    assertThat(detector.retries()).isEqualTo(1);
  }

  @Test
  void firstRetryComesWithinTenSecondsAndLaterOnesMayWaitTwiceAsLong() {
    assertThat(detector.isRetry(7, 429, 0)).isFalse();
    assertThat(detector.isRetry(7, 429, 10 * SECOND)).isTrue();
    assertThat(detector.isRetry(7, 429, 30 * SECOND)).isTrue();
    assertThat(detector.isRetry(7, 429, 70 * SECOND)).isTrue();
    assertThat(detector.isRetry(7, 429, 130 * SECOND)).isTrue();
    assertThat(detector.isRetry(7, 429, 191 * SECOND)).as("more than a minute").isFalse();
    assertThat(detector.isRetry(7, 200, 202 * SECOND)).as("the first again").isFalse();
  }

  @Test
  void onlyWhatIsNearADenialNeedsToBeAskedAbout() {
    assertThat(detector.isNear(200, 0)).isFalse();
    assertThat(detector.isNear(429, 0)).isTrue();
    assertThat(detector.isRetry(7, 429, 0)).isFalse();
    assertThat(detector.isNear(200, 60 * SECOND)).isTrue();
    assertThat(detector.isNear(200, 61 * SECOND)).isFalse();
  }
}
