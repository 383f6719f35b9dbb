package dev.weir.guard;

import static dev.weir.guard.Breaker.State.CLOSED;
import static dev.weir.guard.Breaker.State.HALF_OPEN;
import static dev.weir.guard.Breaker.State.OPEN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class BreakerTest {
  private static final long SECOND = 1_000_000_000L;

  private final Breaker breaker =
      new Breaker(new GuardSettings(Duration.ofMillis(25), 3, 50, 10, Duration.ofSeconds(30)));

  /** A clock that may be far below zero, as that of a machine may. */
  private long now = Long.MIN_VALUE / 2;

  private void answer() {
    breaker.answered(breaker.pass(now), now);
  }

  private void fail() {
    breaker.failed(breaker.pass(now), now, now);
  }

  private void open() {
    for (int i = 0; i < 3; i++) {
      fail();
    }
    assertThat(breaker.state()).isEqualTo(OPEN);
  }

  @Test
  void soManyFailuresInARowOpenIt() {
    for (int i = 0; i < 3; i++) {
      fail();
      fail();
      answer();
    }
    assertThat(breaker.state()).isEqualTo(CLOSED);
    now += 60 * SECOND;
    open();
    assertThat(breaker.pass(now)).isEqualTo(Breaker.NO);
  }

  @Test
  void requestsOutstandingTogetherFailAsOne() {
    long sentNanos = now;
    now += SECOND / 40;
    for (int i = 0; i < 1_000; i++) {
      breaker.failed(breaker.pass(sentNanos), sentNanos, now);
    }
    assertThat(breaker.state()).as("one late batch").isEqualTo(CLOSED);
    sentNanos = now;
    now += SECOND / 40;
    breaker.failed(breaker.pass(sentNanos), sentNanos, now);
    assertThat(breaker.state()).isEqualTo(CLOSED);
    breaker.failed(breaker.pass(now), now, now);
    assertThat(breaker.state()).as("three, one after the other").isEqualTo(OPEN);
  }

  @Test
  void soManyInAHundredOpenIt() {
    for (int i = 0; i < 4; i++) {
      fail();
      answer();
    }
    assertThat(breaker.state()).as("too few to judge by").isEqualTo(CLOSED);
    answer();
    fail();
    assertThat(breaker.state()).isEqualTo(OPEN);
  }

  @Test
  void whatIsLongAgoIsNotHeldAgainstIt() {
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
  void afterAWhileOneMayTryAndNobodyElse() {
    open();
    now += 30 * SECOND - 1;
    assertThat(breaker.pass(now)).isEqualTo(Breaker.NO);
    now += 1;
    long probe = breaker.pass(now);
    assertThat(probe).isNotEqualTo(Breaker.NO);
    assertThat(breaker.isProbe(probe)).isTrue();
    assertThat(breaker.state()).isEqualTo(HALF_OPEN);
    assertThat(breaker.pass(now)).isEqualTo(Breaker.NO);
    assertThat(breaker.passToSee(now)).isEqualTo(Breaker.NO);
    breaker.answered(probe, now);
    assertThat(breaker.state()).isEqualTo(CLOSED);
  }

  @Test
  void aProbeThatFailsOpensItForAsLongAgain() {
    open();
    now += 30 * SECOND;
    breaker.failed(breaker.pass(now), now, now);
    assertThat(breaker.state()).isEqualTo(OPEN);
    now += 29 * SECOND;
    assertThat(breaker.pass(now)).isEqualTo(Breaker.NO);
    now += SECOND;
    assertThat(breaker.pass(now)).isNotEqualTo(Breaker.NO);
  }

  @Test
  void whoeverOnlyWantsToSeeNeedNotWait() {
    open();
    breaker.answered(breaker.passToSee(now), now);
    assertThat(breaker.state()).isEqualTo(CLOSED);
  }

  @Test
  void whatWasLetThroughBeforeIsNoLongerListenedTo() {
    long before = breaker.pass(now);
    open();
    breaker.answered(before, now);
    assertThat(breaker.state()).isEqualTo(OPEN);
    long probe = breaker.passToSee(now);
    breaker.answered(before, now);
    breaker.failed(before, now, now);
    assertThat(breaker.state()).isEqualTo(HALF_OPEN);
    breaker.answered(probe, now);
    breaker.failed(before, now, now);
    breaker.failed(probe, now, now);
    breaker.failed(before, now, now);
    assertThat(breaker.state()).as("three failures, all of the past").isEqualTo(CLOSED);
  }

  @Test
  void settingsThatMakeNoSenseAreRefused() {
    assertThatThrownBy(() -> GuardSettings.DEFAULT.withDeadline(Duration.ZERO))
        .hasMessage("deadline in ms: 0 (expected: between 1 and 120000)");
    assertThatThrownBy(() -> GuardSettings.DEFAULT.withRecovery(Duration.ofDays(1)))
        .hasMessage("recovery in ms: 86400000 (expected: between 1 and 3600000)");
    assertThatThrownBy(
            () -> new GuardSettings(Duration.ofMillis(25), 0, 50, 1, Duration.ofSeconds(1)))
        .hasMessage("failures in a row: 0 (expected: between 1 and 1000000)");
    assertThatThrownBy(
            () -> new GuardSettings(Duration.ofMillis(25), 1, 101, 1, Duration.ofSeconds(1)))
        .hasMessage("failure percent: 101 (expected: between 1 and 100)");
  }

  @Test
  void whoOnlyLooksMakesNobodyWaitLonger() {
    open();
    for (int i = 0; i < 30; i++) {
      now += SECOND;
      long seen = breaker.passToSee(now);
      assertThat(seen).isNotEqualTo(Breaker.NO);
      assertThat(breaker.pass(now)).isEqualTo(Breaker.NO);
      breaker.failed(seen, now, now);
    }
    long request = breaker.pass(now);
    assertThat(request).as("after thirty seconds").isNotEqualTo(Breaker.NO);
    breaker.failed(request, now, now);
    now += 29 * SECOND;
    assertThat(breaker.pass(now)).as("and then after thirty more").isEqualTo(Breaker.NO);
  }
}
