package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.SystemTicker.Anchor;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;

class SystemTickerTest {
  private static final long SECOND = 1_000_000;

  @Test
  void tellsTheTimeOfTheMachine() {
    long before = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    long told = Ticker.system().micros();
    long after = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    // The two clocks may be slewed against each other between renewals, by far less than this.
    assertThat(told).isBetween(before - SECOND / 10, after + SECOND / 10);
  }

  @Test
  void aWallClockThatStepsForwardIsFollowed() {
    Anchor anchor = Anchor.of(0, 100 * SECOND);
    Anchor renewed = anchor.renewed(1_000_000_000, 161 * SECOND);
    assertThat(renewed.at(1_000_000_000)).isEqualTo(161 * SECOND);
    assertThat(renewed.at(2_000_000_000)).isEqualTo(162 * SECOND);
  }

  @Test
  void aWallClockThatStepsBackIsApproachedAtHalfSpeedAndNeverJumpedTo() {
    Anchor anchor = Anchor.of(0, 100 * SECOND);
    // The wall clock is set back by two seconds at second 1: it says 99, we say 101.
    Anchor slow = anchor.renewed(1_000_000_000L, 99 * SECOND);
    assertThat(slow.at(1_000_000_000L)).isEqualTo(101 * SECOND);
    assertThat(slow.at(3_000_000_000L)).isEqualTo(102 * SECOND);
    // Four seconds later both say 103, and time runs at full speed again.
    Anchor caughtUp = slow.renewed(5_000_000_000L, 103 * SECOND);
    assertThat(caughtUp.at(6_000_000_000L)).isEqualTo(104 * SECOND);
  }
}
