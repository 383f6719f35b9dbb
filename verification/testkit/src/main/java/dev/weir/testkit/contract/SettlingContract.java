package dev.weir.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Limit;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Peek, refund, charge and reset behave alike for every algorithm. */
abstract class SettlingContract extends ContractGroup {

  SettlingContract(StoreContract contract) {
    super(contract);
  }

  @ParameterizedTest
  @MethodSource("fiveInTenSeconds")
  void peekSpendsNothing(Limit limit) {
    take(limit, 2);
    for (int i = 0; i < 10; i++) {
      assertAllowed(peek(Claim.of(limit, key, 3)), 3);
    }
    assertAllowed(take(limit, 3), 0);
  }

  @ParameterizedTest
  @MethodSource("fiveInTenSeconds")
  void peekAnswersWhatTakeWould(Limit limit) {
    take(limit, 2);
    Decision peeked = peek(Claim.of(limit, key, 4));
    Decision taken = take(limit, 4);
    assertThat(peeked).isEqualTo(taken);
    assertThat(taken.allowed()).isFalse();
    assertThat(peek(Claim.of(limit, key, 3)).delay()).isEqualTo(take(limit, 3).delay());
  }

  @ParameterizedTest
  @MethodSource("fiveInTenSeconds")
  void aRefundCanBeTakenAgain(Limit limit) {
    take(limit, 5);
    assertAllowed(refund(limit, 2), 2);
    assertAllowed(take(limit, 2), 0);
    assertThat(take(limit, 1).allowed()).isFalse();
  }

  @ParameterizedTest
  @MethodSource("fiveInTenSeconds")
  void aRefundOfAllLeavesTheCounterAsIfNeverUsed(Limit limit) {
    take(limit, 5);
    Decision refunded = refund(limit, 5);
    assertAllowed(refunded, 5);
    assertThat(refunded.resetAfter()).isZero();
  }

  @ParameterizedTest
  @MethodSource("fiveInTenSeconds")
  void aRefundNeverLeavesMoreThanTheCapacity(Limit limit) {
    take(limit, 2);
    assertAllowed(refund(limit, Claim.MAX_COST), 5);
    assertAllowed(refund(Claim.of(limit, keys.key("unused"), 3)), 5);
    assertAllowed(take(limit, 5), 0);
    assertThat(take(limit, 1).allowed()).isFalse();
  }

  @ParameterizedTest
  @MethodSource("fiveInTenSeconds")
  void aChargeMayLeaveDebtThatShrinksWithTime(Limit limit) {
    take(limit, 1);
    Decision charged = charge(limit, 6);
    assertAllowed(charged, 0);
    assertThat(charged.debt()).isEqualTo(2);
    assertThat(peek(limit).debt()).isEqualTo(2);
    Decision denied = take(limit, 0);
    assertThat(denied.allowed()).isFalse();
    assertThat(denied.debt()).isEqualTo(2);
    ticker.advance(take(limit, 1).retryAfter().orElseThrow());
    assertThat(take(limit, 1).allowed()).isTrue();
  }

  @ParameterizedTest
  @MethodSource("fiveInTenSeconds")
  void spendingTheLastPermitIsNoDebt(Limit limit) {
    assertThat(take(limit, 4).debt()).isZero();
    assertThat(charge(limit, 1).debt()).isZero();
    assertThat(take(limit, 1).debt()).isZero();
    assertThat(charge(limit, 1).debt()).isEqualTo(1);
    assertThat(refund(limit, 1).debt()).isZero();
  }

  @ParameterizedTest
  @MethodSource("fiveInTenSeconds")
  void noChargeDeniesACallerForLongerThanFourWindows(Limit limit) {
    take(limit, 5);
    for (int i = 0; i < 3; i++) {
      assertThat(charge(limit, Claim.MAX_COST).debt()).isPositive();
    }
    Duration wait = take(limit, 1).retryAfter().orElseThrow();
    Duration onePermit = limit.window().dividedBy(limit.permits());
    Duration longest = limit.window().multipliedBy(Limit.MAX_DEBT_WINDOWS).plus(onePermit);
    assertThat(wait).isLessThanOrEqualTo(longest);
    ticker.advance(wait);
    assertThat(take(limit, 1).allowed()).isTrue();
  }

  @Test
  void theDebtOfABucketIsAtMostFourWindowsOfPermits() {
    Limit limit = Limit.tokenBucket(5, Duration.ofSeconds(10), 12);
    assertThat(charge(limit, 12 + 19).debt()).isEqualTo(19);
    assertThat(charge(limit, 1).debt()).isEqualTo(20);
    assertThat(charge(limit, 1).debt()).isEqualTo(20);
    assertThat(charge(limit, Claim.MAX_COST).debt()).isEqualTo(20);
    assertDenied(take(limit, 0), Duration.ofSeconds(40));
    assertThat(refund(limit, 20).debt()).isZero();
  }

  @Test
  void debtIsReportedInWholePermitsRoundedUp() {
    Limit limit = Limit.tokenBucket(5, Duration.ofSeconds(10));
    charge(limit, 7);
    at(Duration.ofMillis(500)); // a quarter of a permit has drained
    assertThat(peek(limit).debt()).isEqualTo(2);
    atSeconds(3);
    assertThat(peek(limit).debt()).isEqualTo(1);
    atSeconds(4);
    assertThat(peek(limit).debt()).isZero();
    assertThat(peek(limit).remaining()).isZero();
  }

  @ParameterizedTest
  @MethodSource("fiveInTenSeconds")
  void anEstimateIsCorrectedByChargeOrRefund(Limit limit) {
    take(limit, 3);
    assertAllowed(charge(limit, 1), 1);
    assertAllowed(refund(limit, 2), 3);
  }

  @ParameterizedTest
  @MethodSource("fiveInTenSeconds")
  void resetLeavesTheCounterAsIfNeverUsed(Limit limit) {
    Claim other = Claim.of(limit, keys.key("other"), 2);
    take(other);
    charge(limit, 50);
    Decision afterReset = reset(Claim.of(limit, key, 1));
    assertAllowed(afterReset, 5);
    assertThat(afterReset.resetAfter()).isZero();
    assertAllowed(take(limit, 5), 0);
    assertAllowed(peek(other), 3);
  }

  @Test
  void severalClaimsAreChargedAndRefundedTogether() {
    Limit one = Limit.tokenBucket(10, Duration.ofSeconds(10));
    Limit two = Limit.slidingLog(10, Duration.ofSeconds(10));
    Claim first = Claim.of(one, keys.key("one"), 4);
    Claim second = Claim.of(two, keys.key("two"), 3);
    Decision charged = charge(first, second);
    assertThat(charged.each()).extracting(Decision::remaining).containsExactly(6L, 7L);
    Decision refunded = refund(first, second, second);
    assertThat(refunded.each()).extracting(Decision::remaining).containsExactly(10L, 10L, 10L);
  }
}
