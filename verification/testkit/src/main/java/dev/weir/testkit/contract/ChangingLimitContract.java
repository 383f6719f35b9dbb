package dev.weir.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Limit;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Limits that change while a counter is in use: what was spent stays spent. The claims name the
 * counter itself, as those of rules do.
 */
abstract class ChangingLimitContract extends ContractGroup {
  private static final Duration TEN_SECONDS = Duration.ofSeconds(10);

  ChangingLimitContract(StoreContract contract) {
    super(contract);
  }

  private Decision taken(Limit limit, long cost) {
    return take(new Claim(limit, key, cost, 0));
  }

  private Decision peeked(Limit limit) {
    return peek(new Claim(limit, key, 0, 0));
  }

  private Claim hold(Limit limit, long holder) {
    return new Claim(limit, key, 1, holder);
  }

  @Test
  void aRaisedBucketKeepsWhatWasSpent() {
    taken(Limit.tokenBucket(10, TEN_SECONDS), 4);
    assertAllowed(taken(Limit.tokenBucket(20, TEN_SECONDS), 1), 15);
  }

  @Test
  void aLoweredBucketStartsEmptyAndNotInDebt() {
    taken(Limit.tokenBucket(10, TEN_SECONDS), 8);
    assertDenied(taken(Limit.tokenBucket(5, TEN_SECONDS), 1), Duration.ofSeconds(2));
  }

  @Test
  void aFractionOfAPermitCountsAsSpent() {
    Limit before = Limit.tokenBucket(10, TEN_SECONDS);
    taken(before, 4);
    at(Duration.ofMillis(500));
    assertAllowed(peeked(before), 6);
    assertAllowed(taken(Limit.tokenBucket(10, TEN_SECONDS, 20), 0), 16);
  }

  @Test
  void aDenialUnderNewNumbersLeavesTheOldCounter() {
    Limit before = Limit.tokenBucket(10, TEN_SECONDS);
    taken(before, 3);
    assertDenied(taken(Limit.tokenBucket(2, TEN_SECONDS), 1), Duration.ofSeconds(5));
    assertAllowed(peeked(before), 7);
  }

  @Test
  void aWindowOfTheSameLengthKeepsItsCount() {
    taken(Limit.fixedWindow(5, TEN_SECONDS), 4);
    assertAllowed(taken(Limit.fixedWindow(7, TEN_SECONDS), 1), 2);
    assertDenied(taken(Limit.fixedWindow(4, TEN_SECONDS), 1), TEN_SECONDS);
    assertDenied(taken(Limit.fixedWindow(4, TEN_SECONDS), 0), TEN_SECONDS);
    assertThat(peeked(Limit.fixedWindow(4, TEN_SECONDS)).debt()).isEqualTo(1);
  }

  @Test
  void aWindowOfAnotherLengthStartsWithWhatWasSpent() {
    atSeconds(12);
    taken(Limit.fixedWindow(5, TEN_SECONDS), 4);
    Limit longer = Limit.fixedWindow(5, Duration.ofSeconds(60));
    assertAllowed(taken(longer, 1), 0);
    assertDenied(taken(longer, 1), Duration.ofSeconds(48));
  }

  @Test
  void aLogKeepsItsGrantsAndTheirTimes() {
    taken(Limit.slidingLog(3, TEN_SECONDS), 2);
    atSeconds(4);
    taken(Limit.slidingLog(3, TEN_SECONDS), 1);
    Limit longer = Limit.slidingLog(4, Duration.ofSeconds(20));
    assertAllowed(taken(longer, 1), 0);
    assertDenied(taken(longer, 1), Duration.ofSeconds(16));
    atSeconds(20);
    assertAllowed(peeked(longer), 2);
  }

  @Test
  void aSlidingCounterKeepsBothCounts() {
    taken(Limit.slidingCounter(10, TEN_SECONDS), 8);
    atSeconds(15);
    taken(Limit.slidingCounter(10, TEN_SECONDS), 1);
    Limit raised = Limit.slidingCounter(20, TEN_SECONDS);
    assertAllowed(taken(raised, 0), 15);
    assertThat(peeked(raised).resetAfter()).isEqualTo(Duration.ofSeconds(15));
  }

  @Test
  void holdersKeepTheirPermitsAndExpiries() {
    Limit two = Limit.concurrent(2, TEN_SECONDS);
    take(hold(two, 1));
    take(hold(two, 2));
    Limit three = Limit.concurrent(3, Duration.ofSeconds(60));
    assertAllowed(take(hold(three, 3)), 0);
    assertDenied(take(hold(two, 4)), Duration.ofSeconds(1));
    atSeconds(10);
    assertAllowed(take(hold(two, 4)), 0);
  }

  @ParameterizedTest
  @MethodSource("fiveInTenSeconds")
  void anotherAlgorithmStartsWithWhatWasSpent(Limit to) {
    taken(Limit.fixedWindow(20, Duration.ofSeconds(30)), 3);
    assertAllowed(taken(to, 1), 1);
  }

  @ParameterizedTest
  @MethodSource("fiveInTenSeconds")
  void changeOfAlgorithmKeepsWhatWasSpent(Limit from) {
    taken(from, 4);
    assertAllowed(taken(Limit.tokenBucket(20, Duration.ofSeconds(30), 21), 1), 16);
  }

  @Test
  void changeBetweenConcurrencyAndRateResetsTheCounter() {
    Limit rate = Limit.tokenBucket(5, TEN_SECONDS);
    Limit holders = Limit.concurrent(5, TEN_SECONDS);
    taken(rate, 4);
    assertAllowed(take(hold(holders, 1)), 4);
    assertAllowed(taken(rate, 1), 4);
  }

  @Test
  void anotherCostPerRequestIsTheSameCounter() {
    Limit one = Limit.tokenBucket(10, TEN_SECONDS);
    take(Claim.of(one, key));
    assertAllowed(take(Claim.of(one.withCost(3), key)), 6);
  }
}
