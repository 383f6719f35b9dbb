package dev.weir.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Claim;
import dev.weir.Limit;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** New numbers for counters that live: what was spent stays spent. */
abstract class ChangingLimitContract extends ContractGroup {
  private static final Duration TEN_SECONDS = Duration.ofSeconds(10);

  ChangingLimitContract(StoreContract contract) {
    super(contract);
  }

  @Test
  void aRaisedBucketKeepsWhatWasSpent() {
    take(Limit.tokenBucket(10, TEN_SECONDS), 4);
    assertAllowed(take(Limit.tokenBucket(20, TEN_SECONDS), 1), 15);
  }

  @Test
  void aLoweredBucketIsEmptyAtMost() {
    take(Limit.tokenBucket(10, TEN_SECONDS), 8);
    assertDenied(take(Limit.tokenBucket(5, TEN_SECONDS), 1), Duration.ofSeconds(2));
  }

  @Test
  void aFractionOfAPermitCountsAsSpent() {
    Limit before = Limit.tokenBucket(10, TEN_SECONDS);
    take(before, 4);
    at(Duration.ofMillis(500));
    assertAllowed(look(before), 6);
    assertAllowed(take(Limit.tokenBucket(10, TEN_SECONDS, 20), 0), 16);
  }

  @Test
  void aDenialUnderNewNumbersLeavesTheOldCounter() {
    Limit before = Limit.tokenBucket(10, TEN_SECONDS);
    take(before, 3);
    assertDenied(take(Limit.tokenBucket(2, TEN_SECONDS), 1), Duration.ofSeconds(5));
    assertAllowed(look(before), 7);
  }

  @Test
  void aWindowOfTheSameLengthKeepsItsCount() {
    take(Limit.fixedWindow(5, TEN_SECONDS), 4);
    assertAllowed(take(Limit.fixedWindow(7, TEN_SECONDS), 1), 2);
    assertDenied(take(Limit.fixedWindow(4, TEN_SECONDS), 1), TEN_SECONDS);
    assertDenied(take(Limit.fixedWindow(4, TEN_SECONDS), 0), TEN_SECONDS);
  }

  @Test
  void aWindowOfAnotherLengthStartsWithWhatWasSpent() {
    atSeconds(12);
    take(Limit.fixedWindow(5, TEN_SECONDS), 4);
    Limit longer = Limit.fixedWindow(5, Duration.ofSeconds(60));
    assertAllowed(take(longer, 1), 0);
    assertDenied(take(longer, 1), Duration.ofSeconds(48));
  }

  @Test
  void aLogKeepsItsGrantsAndTheirTimes() {
    take(Limit.slidingLog(3, TEN_SECONDS), 2);
    atSeconds(4);
    take(Limit.slidingLog(3, TEN_SECONDS), 1);
    Limit longer = Limit.slidingLog(4, Duration.ofSeconds(20));
    assertAllowed(take(longer, 1), 0);
    assertDenied(take(longer, 1), Duration.ofSeconds(16));
    atSeconds(20);
    assertAllowed(look(longer), 2);
  }

  @Test
  void aSlidingCounterKeepsBothCounts() {
    take(Limit.slidingCounter(10, TEN_SECONDS), 8);
    atSeconds(15);
    take(Limit.slidingCounter(10, TEN_SECONDS), 1);
    Limit raised = Limit.slidingCounter(20, TEN_SECONDS);
    assertAllowed(take(raised, 0), 15);
    assertThat(look(raised).resetAfter()).isEqualTo(Duration.ofSeconds(15));
  }

  @Test
  void holdersKeepTheirPermitsAndExpiries() {
    Limit two = Limit.concurrent(2, TEN_SECONDS);
    take(Claim.hold(two, key, 1));
    take(Claim.hold(two, key, 2));
    Limit three = Limit.concurrent(3, Duration.ofSeconds(60));
    assertAllowed(take(Claim.hold(three, key, 3)), 0);
    assertDenied(take(Claim.hold(two, key, 4)), TEN_SECONDS);
    atSeconds(10);
    assertAllowed(take(Claim.hold(two, key, 4)), 0);
  }

  @ParameterizedTest
  @MethodSource("fiveInTenSeconds")
  void anotherAlgorithmStartsWithWhatWasSpent(Limit to) {
    take(Limit.fixedWindow(20, Duration.ofSeconds(30)), 3);
    assertAllowed(take(to, 1), 1);
  }

  @ParameterizedTest
  @MethodSource("fiveInTenSeconds")
  void whatWasSpentUnderAnotherAlgorithmStaysSpent(Limit from) {
    take(from, 4);
    assertAllowed(take(Limit.tokenBucket(20, Duration.ofSeconds(30), 21), 1), 16);
  }

  @Test
  void betweenHoldersAndARateCountingStartsAnew() {
    Limit rate = Limit.tokenBucket(5, TEN_SECONDS);
    Limit holders = Limit.concurrent(5, TEN_SECONDS);
    take(rate, 4);
    assertAllowed(take(Claim.hold(holders, key, 1)), 4);
    assertAllowed(take(rate, 1), 4);
  }

  @Test
  void anotherCostPerRequestIsTheSameCounter() {
    Limit one = Limit.tokenBucket(10, TEN_SECONDS);
    take(Claim.of(one, key));
    assertAllowed(take(Claim.of(one.withCost(3), key)), 6);
  }
}
