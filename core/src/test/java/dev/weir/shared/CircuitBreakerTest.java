package dev.weir.shared;

import static dev.weir.shared.CircuitBreaker.State.CLOSED;
import static dev.weir.shared.CircuitBreaker.State.HALF_OPEN;
import static dev.weir.shared.CircuitBreaker.State.OPEN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The circuit breaker of one shard, on a manual clock. */
class CircuitBreakerTest {
  private static final long SECOND = 1_000_000_000L;

  private final CircuitBreaker breaker =
      new CircuitBreaker(
          new GuardSettings(Duration.ofMillis(25), 3, 50, 10, Duration.ofSeconds(30)));

  /** A monotonic clock may have any origin, so this one begins far below zero. */
  private long now = Long.MIN_VALUE / 2;

  private void answer() {
    breaker.onSuccess(breaker.tryPass(now), now);
  }

  private void fail() {
    breaker.onFailure(breaker.tryPass(now), now, now);
  }

  private void open() {
    for (int i = 0; i < 3; i++) {
      fail();
    }
    assertThat(breaker.state()).isEqualTo(OPEN);
  }

  @Test
  void consecutiveFailuresOpenTheBreaker() {
    for (int i = 0; i < 3; i++) {
      fail();
      fail();
      answer();
    }
    assertThat(breaker.state()).isEqualTo(CLOSED);
    now += 60 * SECOND;
    open();
    assertThat(breaker.tryPass(now)).isEqualTo(CircuitBreaker.REJECTED);
  }

  @Test
  void callsOutstandingTogetherCountAsOneFailure() {
    long sentNanos = now;
    now += SECOND / 40;
    for (int i = 0; i < 1_000; i++) {
      breaker.onFailure(breaker.tryPass(sentNanos), sentNanos, now);
    }
    assertThat(breaker.state()).as("one late batch").isEqualTo(CLOSED);
    sentNanos = now;
    now += SECOND / 40;
    breaker.onFailure(breaker.tryPass(sentNanos), sentNanos, now);
    assertThat(breaker.state()).isEqualTo(CLOSED);
    breaker.onFailure(breaker.tryPass(now), now, now);
    assertThat(breaker.state()).as("three, one after the other").isEqualTo(OPEN);
  }

  @Test
  void failureRateOpensTheBreaker() {
    for (int i = 0; i < 4; i++) {
      fail();
      answer();
    }
    assertThat(breaker.state()).as("fewer than the minimum of calls").isEqualTo(CLOSED);
    answer();
    fail();
    assertThat(breaker.state()).isEqualTo(OPEN);
  }

  @Test
  void failuresOutsideTheRateWindowDoNotCount() {
    for (int i = 0; i < 100; i++) {
      fail();
      answer();
      answer();
      answer();
      now += SECOND;
    }
    assertThat(breaker.state()).isEqualTo(CLOSED);
    now += 60 * SECOND;
    for (int i = 0; i < 4; i++) {
      fail();
      answer();
    }
    assertThat(breaker.state()).as("of eight, not of four hundred").isEqualTo(CLOSED);
  }

  @Test
  void afterTheOpenDurationOneCallPassesAsProbe() {
    open();
    now += 30 * SECOND - 1;
    assertThat(breaker.tryPass(now)).isEqualTo(CircuitBreaker.REJECTED);
    now += 1;
    long probe = breaker.tryPass(now);
    assertThat(probe).isNotEqualTo(CircuitBreaker.REJECTED);
    assertThat(breaker.isProbe(probe)).isTrue();
    assertThat(breaker.state()).isEqualTo(HALF_OPEN);
    assertThat(breaker.tryPass(now)).isEqualTo(CircuitBreaker.REJECTED);
    assertThat(breaker.tryPassHealthProbe(now)).isEqualTo(CircuitBreaker.REJECTED);
    breaker.onSuccess(probe, now);
    assertThat(breaker.state()).isEqualTo(CLOSED);
  }

  @Test
  void failedProbeReopensTheBreakerForTheWholeOpenDuration() {
    open();
    now += 30 * SECOND;
    breaker.onFailure(breaker.tryPass(now), now, now);
    assertThat(breaker.state()).isEqualTo(OPEN);
    now += 29 * SECOND;
    assertThat(breaker.tryPass(now)).isEqualTo(CircuitBreaker.REJECTED);
    now += SECOND;
    assertThat(breaker.tryPass(now)).isNotEqualTo(CircuitBreaker.REJECTED);
  }

  @Test
  void healthProbePassesAtOnce() {
    open();
    breaker.onSuccess(breaker.tryPassHealthProbe(now), now);
    assertThat(breaker.state()).isEqualTo(CLOSED);
  }

  @Test
  void resultsOfEarlierGenerationsAreIgnored() {
    long before = breaker.tryPass(now);
    open();
    breaker.onSuccess(before, now);
    assertThat(breaker.state()).isEqualTo(OPEN);
    long probe = breaker.tryPassHealthProbe(now);
    breaker.onSuccess(before, now);
    breaker.onFailure(before, now, now);
    assertThat(breaker.state()).isEqualTo(HALF_OPEN);
    breaker.onSuccess(probe, now);
    breaker.onFailure(before, now, now);
    breaker.onFailure(probe, now, now);
    breaker.onFailure(before, now, now);
    assertThat(breaker.state()).as("three failures, all of earlier generations").isEqualTo(CLOSED);
  }

  @Test
  void settingsOutOfRangeAreRejected() {
    assertThatThrownBy(() -> GuardSettings.DEFAULT.withDeadline(Duration.ZERO))
        .hasMessage("deadline in ms: 0 (expected: between 1 and 120000)");
    assertThatThrownBy(() -> GuardSettings.DEFAULT.withOpenDuration(Duration.ofDays(1)))
        .hasMessage("open duration in ms: 86400000 (expected: between 1 and 3600000)");
    assertThatThrownBy(
            () -> new GuardSettings(Duration.ofMillis(25), 0, 50, 1, Duration.ofSeconds(1)))
        .hasMessage("consecutive failures: 0 (expected: between 1 and 1000000)");
    assertThatThrownBy(
            () -> new GuardSettings(Duration.ofMillis(25), 1, 101, 1, Duration.ofSeconds(1)))
        .hasMessage("failure percent: 101 (expected: between 1 and 100)");
  }

  @Test
  void failedHealthProbeDoesNotExtendTheOpenDuration() {
    open();
    for (int i = 0; i < 30; i++) {
      now += SECOND;
      long probe = breaker.tryPassHealthProbe(now);
      assertThat(probe).isNotEqualTo(CircuitBreaker.REJECTED);
      assertThat(breaker.tryPass(now)).isEqualTo(CircuitBreaker.REJECTED);
      breaker.onFailure(probe, now, now);
    }
    long request = breaker.tryPass(now);
    assertThat(request).as("after thirty seconds").isNotEqualTo(CircuitBreaker.REJECTED);
    breaker.onFailure(request, now, now);
    now += 29 * SECOND;
    assertThat(breaker.tryPass(now))
        .as("and then after thirty more")
        .isEqualTo(CircuitBreaker.REJECTED);
  }
}
