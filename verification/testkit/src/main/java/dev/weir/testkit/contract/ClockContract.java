package dev.weir.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.time.CalendarWindow;
import dev.weir.time.CalendarWindow.Unit;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Clocks that are set back. Counters wait for a clock that is a little behind; a counter more than
 * a window ahead of the clock was written by a wrong clock, and counts as never used.
 */
abstract class ClockContract extends ContractGroup {

  ClockContract(StoreContract contract) {
    super(contract);
  }

  /** Five permits by every algorithm that counts a rate, including calendar windows. */
  static Stream<Limit> fiveInAWindow() {
    return Stream.concat(
        fiveInTenSeconds(),
        Stream.of(
            Limit.fixedWindow(5, CalendarWindow.of(Unit.DAY, ZoneOffset.UTC)),
            Limit.fixedWindow(5, CalendarWindow.billingMonth(7, ZoneOffset.UTC)),
            Limit.tokenBucket(1, Duration.ofSeconds(10), 5),
            Limit.tokenBucket(5, Duration.ofDays(1)),
            Limit.slidingCounter(5, Duration.ofHours(1))));
  }

  @ParameterizedTest
  @MethodSource("fiveInAWindow")
  void aClockSetForwardAndBackDeniesNoCallerForTheJump(Limit limit) {
    take(limit, 2);
    at(jump(limit));
    charge(limit, 50);
    assertThat(take(limit, 1).allowed()).isFalse();
    at(Duration.ofSeconds(1));
    assertAllowed(peek(limit), 5);
    assertThat(peek(limit).resetAfter()).isZero();
    int granted = 0;
    while (take(limit, 1).allowed()) {
      granted++;
    }
    assertThat(granted).as("grants of a counter that was never used").isEqualTo(5);
  }

  @ParameterizedTest
  @MethodSource("fiveInAWindow")
  void everyOperationFindsACounterTooFarAheadAsIfNeverUsed(Limit limit) {
    at(jump(limit));
    charge(limit, 5);
    at(Duration.ofSeconds(1));
    assertAllowed(refund(limit, 1), 5);
    at(jump(limit));
    charge(limit, 5);
    at(Duration.ofSeconds(1));
    assertAllowed(charge(limit, 2), 3);
    assertThat(take(limit, 4).allowed()).isFalse();
  }

  @ParameterizedTest
  @MethodSource("fiveInAWindow")
  void aCounterUnderAnotherLimitIsForgottenIfItIsTooFarAhead(Limit limit) {
    Limit other = Limit.tokenBucket(7, Duration.ofSeconds(20));
    at(jump(limit));
    take(new Claim(limit, key, 5, 0));
    at(Duration.ofSeconds(1));
    assertAllowed(take(new Claim(other, key, 1, 0)), 6);
  }

  /** At most for two windows, or twice the time in which a bucket refills. */
  @ParameterizedTest
  @MethodSource("fiveInAWindow")
  void noCallerWaitsLongForAClockThatWasSetBack(Limit limit) {
    take(limit, 5);
    Duration kept = micros(limit.maxAheadTicks() * limit.tickMicros());
    Duration longest = peek(limit).resetAfter().plus(kept).plus(limit.window());
    for (Duration back = Duration.ofMillis(1); back.toDays() < 800; back = back.multipliedBy(3)) {
      at(back.negated());
      take(limit, 1).retryAfter().ifPresent(wait -> assertThat(wait).isLessThanOrEqualTo(longest));
      reset(Claim.of(limit, key));
      at(Duration.ZERO);
      take(limit, 5);
    }
  }

  @ParameterizedTest
  @MethodSource("fiveInTenSeconds")
  void aCounterIsKeptAWindowAheadAndNotAMomentLonger(Limit limit) {
    take(limit, 5);
    at(Duration.ofSeconds(-10));
    Decision denied = take(limit, 1);
    assertThat(denied.allowed()).isFalse();
    Duration waited = limit.window();
    assertThat(denied.retryAfter().orElseThrow()).isBetween(waited, waited.plusSeconds(12));
    at(micros(-10_000_001));
    assertAllowed(take(limit, 1), 4);
  }

  @Test
  void aBucketIsKeptForAsLongAsItTakesToFillUpAgain() {
    Limit limit = Limit.tokenBucket(1, Duration.ofSeconds(1), 3_600);
    take(limit, 3_600);
    at(Duration.ofHours(-1));
    assertDenied(take(limit, 1), Duration.ofSeconds(3_601));
    at(Duration.ofHours(-1).minus(micros(1)));
    assertAllowed(take(limit, 3_600), 0);
  }

  @Test
  void permitsHeldUnderAClockThatWasSetBackAreFree() {
    Limit limit = Limit.concurrent(2, Duration.ofMinutes(1));
    at(Duration.ofDays(1));
    take(Claim.hold(limit, key, 1));
    take(Claim.hold(limit, key, 2));
    assertThat(take(Claim.hold(limit, key, 3)).allowed()).isFalse();
    at(Duration.ZERO);
    assertThat(peek(Claim.hold(limit, key, 3)).remaining()).isEqualTo(2);
    assertAllowed(take(Claim.hold(limit, key, 3)), 1);
    assertAllowed(refund(Claim.hold(limit, key, 1)), 1);
    assertAllowed(take(Claim.hold(limit, key, 4)), 0);
    assertThat(take(Claim.hold(limit, key, 5)).allowed()).isFalse();
  }

  @Test
  void permitsStayHeldIfTheClockIsSetBackALittle() {
    Limit limit = Limit.concurrent(1, Duration.ofMinutes(1));
    take(Claim.hold(limit, key, 1));
    at(Duration.ofMinutes(-1));
    assertThat(take(Claim.hold(limit, key, 2)).allowed()).isFalse();
    assertAllowed(refund(Claim.hold(limit, key, 1)), 1);
  }

  /** A jump that is long enough for every limit here. */
  private static Duration jump(Limit limit) {
    return limit.window().multipliedBy(7).plusDays(1);
  }
}
