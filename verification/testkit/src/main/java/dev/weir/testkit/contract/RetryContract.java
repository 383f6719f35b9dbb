package dev.weir.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.testkit.Seeds;
import dev.weir.testkit.time.ManualTicker;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Waits are exact: a retry after the wait succeeds, and one a microsecond sooner does not. */
abstract class RetryContract extends ContractGroup {
  /** A wait of a century from here ends before 2255, the last year that scripts can count. */
  private static final long LATEST_MICROS =
      START_MICROS + ManualTicker.micros(Duration.ofDays(50 * 365));

  RetryContract(StoreContract contract) {
    super(contract);
  }

  /** Rates that do not divide their window, and limits counted in coarser ticks. */
  static Stream<Limit> unevenLimits() {
    return Stream.of(
        Limit.tokenBucket(3, Duration.ofSeconds(1), 5),
        Limit.tokenBucket(7, Duration.ofMinutes(1)),
        Limit.tokenBucket(700_000, Duration.ofSeconds(1), 11),
        Limit.tokenBucket(1, Limit.MAX_WINDOW, 9),
        Limit.tokenBucket(997, Limit.MAX_WINDOW, 7_200),
        Limit.leakyBucket(3, Duration.ofSeconds(1), 5),
        Limit.leakyBucket(7, Limit.MAX_WINDOW, 60),
        Limit.fixedWindow(7, micros(999_983)),
        Limit.slidingLog(7, micros(999_983)),
        Limit.slidingCounter(7, micros(999_983)),
        Limit.slidingCounter(1_000, Duration.ofDays(30)),
        Limit.slidingCounter(10_000_000, Duration.ofDays(300)));
  }

  @ParameterizedTest
  @MethodSource("unevenLimits")
  void aDeniedRequestSucceedsExactlyAfterRetryAfter(Limit limit) {
    Seeds.run(
        random -> {
          LimitKey counter = key;
          for (int denials = 0; denials < 20; ) {
            if (ticker.micros() > LATEST_MICROS) {
              atSeconds(0);
              counter = keys.key("caller " + denials);
            }
            ticker.advanceMicros(random.nextLong(limit.windowMicros() / limit.permits() + 2));
            Claim claim = Claim.of(limit, counter, 1 + random.nextLong(limit.capacity()));
            Decision decision = take(claim);
            if (!decision.allowed()) {
              denials++;
              succeedsExactlyAfter(decision, claim);
            }
          }
        });
  }

  private void succeedsExactlyAfter(Decision denied, Claim claim) {
    Duration wait = denied.retryAfter().orElseThrow();
    assertThat(wait).isPositive();
    ticker.advance(wait.minus(micros(1)));
    assertDenied(take(claim), micros(1));
    ticker.advanceMicros(1);
    assertThat(take(claim).allowed()).as("%s after %s", claim.limit(), wait).isTrue();
  }

  @ParameterizedTest
  @MethodSource("unevenLimits")
  void aCounterIsAsIfNeverUsedExactlyAfterResetAfter(Limit limit) {
    Decision unused = peek(limit);
    take(limit, limit.capacity() / 2 + 1);
    Duration reset = take(limit, 1).resetAfter();
    ticker.advance(reset.minus(micros(1)));
    assertThat(peek(limit)).isNotEqualTo(unused);
    assertThat(peek(limit).resetAfter()).isEqualTo(micros(1));
    ticker.advanceMicros(1);
    assertThat(peek(limit)).isEqualTo(unused);
  }

  @Test
  void severalDeniedClaimsSucceedTogetherAfterTheLongestWait() {
    Claim[] claims =
        unevenLimits()
            .filter(limit -> limit.windowMicros() < 100_000_000)
            .map(limit -> Claim.of(limit, keys.key(limit.toString()), limit.capacity()))
            .toArray(Claim[]::new);
    assertThat(take(claims).allowed()).isTrue();
    Decision denied = take(claims);
    assertThat(denied.each()).noneMatch(Decision::allowed);
    Duration wait = denied.retryAfter().orElseThrow();
    ticker.advance(wait.minus(micros(1)));
    assertDenied(take(claims), micros(1));
    ticker.advanceMicros(1);
    assertThat(take(claims).allowed()).isTrue();
  }

  @Test
  void claimsOnOneKeySucceedTogetherAfterRetryAfter() {
    Limit limit = Limit.tokenBucket(1, Duration.ofSeconds(1), 5);
    take(limit, 5);
    Claim[] claims = {Claim.of(limit, key, 2), Claim.of(limit, key, 3)};
    ticker.advance(take(claims).retryAfter().orElseThrow());
    assertAllowed(take(claims), 0);
  }

  /** It is unknown when a holder will release its permit; only its expiry is known. */
  @Test
  void aDeniedConcurrencyPermitIsRetriedWithinASecond() {
    Limit limit = Limit.concurrent(2, Duration.ofSeconds(60));
    take(Claim.hold(limit, key, 1));
    take(Claim.hold(limit, key, 2));
    assertDenied(take(Claim.hold(limit, key, 3)), Duration.ofSeconds(1));
    at(Duration.ofMillis(1_500));
    refund(Claim.hold(limit, key, 2));
    assertAllowed(take(Claim.hold(limit, key, 3)), 0);
  }

  @Test
  void aPermitThatExpiresSoonerIsFreeExactlyAfterRetryAfter() {
    Limit limit = Limit.concurrent(2, Duration.ofSeconds(30));
    take(Claim.hold(limit, key, 1));
    ticker.advanceMicros(123);
    take(Claim.hold(limit, key, 2));
    at(Duration.ofMillis(29_400));
    assertDenied(take(Claim.hold(limit, key, 3)), Duration.ofMillis(600));
    assertDenied(take(Claim.hold(limit, key, 3).withCost(2)), micros(600_123));
    ticker.advance(Duration.ofMillis(600).minus(micros(1)));
    assertDenied(take(Claim.hold(limit, key, 3)), micros(1));
    ticker.advanceMicros(1);
    assertAllowed(take(Claim.hold(limit, key, 3)), 0);
  }
}
