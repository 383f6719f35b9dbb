package dev.weir.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Limit;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Odd times, odd costs, and the largest numbers. */
abstract class ExtremesContract extends ContractGroup {

  ExtremesContract(StoreContract contract) {
    super(contract);
  }

  @ParameterizedTest
  @MethodSource("fiveInTenSeconds")
  void aClockThatStepsBackRefundsNothing(Limit limit) {
    take(limit, 5);
    Decision denied = take(limit, 1);
    Duration wait = denied.retryAfter().orElseThrow();
    at(Duration.ofSeconds(-9));
    assertDenied(take(limit, 1), wait.plusSeconds(9));
    assertThat(peek(limit).remaining()).isZero();
    at(Duration.ZERO);
    assertThat(take(limit, 1)).isEqualTo(denied);
    at(wait);
    assertThat(take(limit, 1).allowed()).isTrue();
  }

  @ParameterizedTest
  @MethodSource("fiveInTenSeconds")
  void aGrantAfterTheClockSteppedBackCountsFromTheLastWrite(Limit limit) {
    take(limit, 4);
    at(Duration.ofSeconds(-9));
    assertAllowed(take(limit, 1), 0);
    at(Duration.ZERO);
    assertThat(take(limit, 1).allowed()).isFalse();
  }

  @ParameterizedTest
  @MethodSource("fiveInTenSeconds")
  void aJumpOfYearsLeavesACounterAsIfNeverUsed(Limit limit) {
    charge(limit, 1_000);
    at(Duration.ofDays(100 * 365));
    assertThat(peek(limit).resetAfter()).isZero();
    assertAllowed(take(limit, 5), 0);
    assertThat(take(limit, 1).allowed()).isFalse();
  }

  @ParameterizedTest
  @MethodSource("fiveInTenSeconds")
  void aCostOfZeroTakesNothingAndPassesUnlessThereIsDebt(Limit limit) {
    assertAllowed(take(limit, 0), 5);
    assertThat(peek(limit).resetAfter()).isZero();
    take(limit, 5);
    assertAllowed(take(limit, 0), 0);
    charge(limit, 1);
    assertThat(take(limit, 0).allowed()).isFalse();
  }

  @ParameterizedTest
  @MethodSource("fiveInTenSeconds")
  void aCostAboveTheCapacityNeverPassesAndTakesNothing(Limit limit) {
    assertNever(take(limit, 6));
    assertNever(take(limit, Claim.MAX_COST));
    assertNever(peek(Claim.of(limit, key, 6)));
    assertAllowed(peek(limit), 5);
    take(limit, 2);
    Decision decision = take(limit, 6);
    assertNever(decision);
    assertThat(decision.remaining()).isEqualTo(3);
  }

  @ParameterizedTest
  @MethodSource("fiveInTenSeconds")
  void theLargestChargesAddUpWithoutOverflow(Limit limit) {
    for (int i = 0; i < 10; i++) {
      Decision charged = charge(limit, Claim.MAX_COST);
      assertAllowed(charged, 0);
      assertThat(charged.resetAfter()).isPositive();
    }
    assertThat(take(limit, 1).retryAfter().orElseThrow()).isPositive();
    assertAllowed(refund(limit, Claim.MAX_COST), peek(limit).remaining());
    assertAllowed(refund(limit, Claim.MAX_COST), 5);
  }

  @Test
  void aBucketOfTheLargestCapacityCountsExactly() {
    long max = Limit.MAX_CAPACITY_UNITS;
    Limit limit = Limit.tokenBucket(1_000_000, Duration.ofSeconds(1), max);
    assertAllowed(take(limit, max - 1), 1);
    assertAllowed(take(limit, 1), 0);
    assertDenied(take(limit, max), micros(max));
    Duration deepest = micros(max).plusSeconds(Limit.MAX_DEBT_WINDOWS);
    assertThat(charge(limit, max).resetAfter()).isEqualTo(deepest);
    assertThat(charge(limit, 1).resetAfter()).isEqualTo(deepest);
  }

  @Test
  void aWindowOfMaximumPermitsAndLengthCountsExactly() {
    long max = Limit.MAX_CAPACITY_UNITS;
    Limit limit = Limit.fixedWindow(max, Limit.MAX_WINDOW);
    assertAllowed(take(limit, max - 1), 1);
    assertAllowed(take(limit, 1), 0);
    assertThat(take(limit, 1).allowed()).isFalse();
    ticker.advance(take(limit, 1).retryAfter().orElseThrow());
    assertAllowed(take(limit, 1), max - 1);
  }

  @Test
  void aSlidingCounterOfMaximumPermitsCountsExactly() {
    long max = Limit.MAX_COUNTER_PERMITS;
    Limit limit = Limit.slidingCounter(max, Duration.ofSeconds(1));
    assertAllowed(take(limit, max - 1), 1);
    assertAllowed(take(limit, 1), 0);
    atSeconds(1);
    // In a microsecond 2,147.48 of the permits fade.
    assertDenied(take(limit, 2_148), micros(2));
    at(micros(1_000_001));
    assertAllowed(take(limit, 2_147), 0);
  }

  @Test
  void theSlowestBucketCountsExactly() {
    Limit limit = Limit.tokenBucket(1, Limit.MAX_WINDOW, 2);
    take(limit, 2);
    assertDenied(take(limit, 1), Limit.MAX_WINDOW);
    at(Limit.MAX_WINDOW.minus(micros(1)));
    assertDenied(take(limit, 1), micros(1));
    at(Limit.MAX_WINDOW);
    assertAllowed(take(limit, 1), 0);
  }

  @Test
  void aBucketThatTakesACenturyToRefillStillWaitsAndStillCounts() {
    Limit limit = Limit.tokenBucket(1, Duration.ofDays(1), Limit.MAX_REFILL.toDays());
    assertThat(take(limit, limit.capacity()).resetAfter()).isEqualTo(Limit.MAX_REFILL);
    // Insertions of other keys must not drop this counter as expired.
    for (int i = 0; i < 100; i++) {
      take(Claim.of(limit, keys.key("other", "" + i), 1));
    }
    assertDenied(take(limit, 1), Duration.ofDays(1));
    assertDenied(take(limit, limit.capacity()), Limit.MAX_REFILL);
  }

  @Test
  void noDebtIsLongerThanACentury() {
    Limit limit = Limit.tokenBucket(1, Duration.ofDays(1), Limit.MAX_REFILL.toDays());
    assertThat(charge(limit, Claim.MAX_COST).resetAfter()).isEqualTo(Limit.MAX_REFILL);
    assertDenied(take(limit, 1), Duration.ofDays(1));
  }
}
