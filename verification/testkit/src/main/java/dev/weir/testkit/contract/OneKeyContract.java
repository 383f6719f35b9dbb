package dev.weir.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Limit;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Several limits on one key: each algorithm and each window counts separately. */
abstract class OneKeyContract extends ContractGroup {
  private static final Duration TEN_SECONDS = Duration.ofSeconds(10);
  private static final Limit PER_MINUTE = Limit.fixedWindow(10, Duration.ofMinutes(1));
  private static final Limit PER_SECOND = Limit.tokenBucket(5, Duration.ofSeconds(1));

  OneKeyContract(StoreContract contract) {
    super(contract);
  }

  /** Two limits used in turn for a minute do not reset each other's counters. */
  @Test
  void twoLimitsUsedInTurnBothHold() {
    int perMinute = 0;
    for (int second = 0; second < 59; second++) {
      atSeconds(second);
      int perSecond = 0;
      for (int i = 0; i < 10; i++) {
        perMinute += take(PER_MINUTE, 1).allowed() ? 1 : 0;
        perSecond += take(PER_SECOND, 1).allowed() ? 1 : 0;
      }
      assertThat(perSecond).as("in second %d", second).isEqualTo(5);
    }
    assertThat(perMinute).isEqualTo(10);
  }

  static Stream<Limit> otherThanPerMinute() {
    return Stream.concat(
        fiveInTenSeconds(), Stream.of(Limit.fixedWindow(10, Duration.ofHours(1)), PER_SECOND));
  }

  @ParameterizedTest
  @MethodSource("otherThanPerMinute")
  void spendingUnderOneLimitDoesNotAffectTheOther(Limit other) {
    take(PER_MINUTE, 7);
    assertAllowed(peek(other), other.capacity());
    charge(other, 50);
    assertAllowed(peek(PER_MINUTE), 3);
    refund(other, 50);
    assertAllowed(peek(PER_MINUTE), 3);
    take(other, 1);
    reset(Claim.of(PER_MINUTE, key));
    assertAllowed(peek(PER_MINUTE), 10);
    assertAllowed(peek(other), other.capacity() - 1);
  }

  @Test
  void bothLimitsMayBeClaimedInOneRequest() {
    Claim minute = Claim.of(PER_MINUTE, key, 4);
    Claim second = Claim.of(PER_SECOND, key, 4);
    assertThat(take(minute, second).each()).extracting(Decision::remaining).containsExactly(6L, 1L);
    Decision denied = take(minute, second);
    assertThat(denied.allowed()).isFalse();
    assertThat(denied.decisive()).hasValue(1);
    assertAllowed(peek(PER_MINUTE), 6);
  }

  @Test
  void aRateAndAConcurrencyLimitCountSeparately() {
    Limit two = Limit.concurrent(2, TEN_SECONDS);
    take(PER_SECOND, 5);
    assertAllowed(take(Claim.hold(two, key, 1)), 1);
    assertAllowed(peek(PER_SECOND), 0);
  }

  /** A limit may be raised or lowered without forgiving what was spent. */
  @ParameterizedTest
  @MethodSource("fiveInTenSeconds")
  void otherNumbersForTheSameWindowKeepTheCounter(Limit five) {
    take(five, 3);
    Limit twenty =
        switch (five.algorithm()) {
          case TOKEN_BUCKET -> Limit.tokenBucket(20, TEN_SECONDS);
          case LEAKY_BUCKET -> Limit.leakyBucket(20, TEN_SECONDS, 19);
          case FIXED_WINDOW -> Limit.fixedWindow(20, TEN_SECONDS);
          case SLIDING_LOG -> Limit.slidingLog(20, TEN_SECONDS);
          case SLIDING_COUNTER -> Limit.slidingCounter(20, TEN_SECONDS);
          case CONCURRENCY -> throw new IllegalArgumentException("no rate: " + five);
        };
    assertAllowed(peek(twenty), 17);
  }

  @Test
  void holdersWithAnotherExpiryShareThePermits() {
    take(Claim.hold(Limit.concurrent(2, TEN_SECONDS), key, 1));
    assertAllowed(take(Claim.hold(Limit.concurrent(2, Duration.ofMinutes(1)), key, 2)), 0);
    assertAllowed(refund(Claim.hold(Limit.concurrent(2, Duration.ofHours(1)), key, 1)), 1);
  }
}
