package dev.weir.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.time.ManualTicker;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;

/** Many addresses that guess tokens at once. */
class FailedTokensTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final ManualTicker clock = ManualTicker.at(Duration.ofDays(20_000));
  private final FailedTokens failures =
      new FailedTokens(() -> Instant.EPOCH.plus(clock.micros(), ChronoUnit.MICROS));

  private static String address(int number) {
    return "10." + (number >> 16) + "." + (number >> 8 & 255) + "." + (number & 255);
  }

  private void failFromManyAddresses() {
    for (int i = 0; i < FailedTokens.MAX_IN_ALL; i++) {
      assertThat(failures.waitSeconds(address(i))).isEmpty();
      failures.onFailure(address(i));
    }
  }

  @Test
  void guessesOfAllAddressesTogetherAreBounded() {
    failFromManyAddresses();
    assertThat(failures.waitSeconds("192.0.2.1")).hasValue(60);
    clock.advance(MINUTE);
    assertThat(failures.waitSeconds("192.0.2.1")).isEmpty();
  }

  @Test
  void addressThatPresentedATokenIsListenedToWhileManyGuess() {
    failures.onSuccess("192.0.2.1");
    failFromManyAddresses();
    assertThat(failures.waitSeconds("192.0.2.1")).isEmpty();
    for (int i = 0; i < FailedTokens.MAX_PER_ADDRESS; i++) {
      failures.onFailure("192.0.2.1");
    }
    assertThat(failures.waitSeconds("192.0.2.1")).isPresent();
  }

  @Test
  void tablesAreBounded() {
    int bound = 2 * FailedTokens.MAX_IN_ALL + FailedTokens.MAX_KNOWN;
    for (int minute = 0; minute < 5; minute++) {
      for (int i = 0; i < 3 * FailedTokens.MAX_IN_ALL; i++) {
        String address = address(minute * 10_000 + i);
        if (failures.waitSeconds(address).isEmpty()) {
          failures.onFailure(address);
        }
        failures.onSuccess(address(1_000_000 + minute * 10_000 + i));
      }
      assertThat(failures.size()).isLessThanOrEqualTo(bound);
      clock.advance(MINUTE);
    }
  }

  @Test
  void addressesOfOneIpv6NetworkAreOne() {
    for (int i = 0; i < FailedTokens.MAX_PER_ADDRESS; i++) {
      failures.onFailure("2001:db8::" + Integer.toHexString(i + 1));
    }
    assertThat(failures.waitSeconds("2001:db8::ffff")).isPresent();
    assertThat(failures.waitSeconds("2001:db8:0:1::1")).isEmpty();
  }

  @Test
  void fewSeriesOfAMinuteAreReportedAndTheOthersCounted() {
    int reported = 0;
    for (int i = 0; i < 100; i++) {
      reported += failures.onFailure(address(i)).isPresent() ? 1 : 0;
    }
    assertThat(reported).isEqualTo(FailedTokens.MAX_REPORTED);
    clock.advance(MINUTE);
    assertThat(failures.onFailure(address(0))).as("the series goes on").isEmpty();
    assertThat(failures.onFailure("192.0.2.1")).hasValue(100 - FailedTokens.MAX_REPORTED);
  }

  @Test
  void clockThatIsSetBackLocksNobodyOutForLong() {
    for (int i = 0; i < FailedTokens.MAX_PER_ADDRESS; i++) {
      failures.onFailure("192.0.2.1");
    }
    clock.advance(Duration.ofDays(-1));
    assertThat(failures.waitSeconds("192.0.2.1")).isEmpty();
  }
}
