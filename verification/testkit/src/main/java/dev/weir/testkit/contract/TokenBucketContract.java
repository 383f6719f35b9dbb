package dev.weir.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.Limit;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Timelines of a token bucket. */
abstract class TokenBucketContract extends ContractGroup {
  private final Limit threePerSecond = Limit.tokenBucket(3, Duration.ofSeconds(1), 5);

  TokenBucketContract(StoreContract contract) {
    super(contract);
  }

  @Test
  void theBurstPassesAtOnceAndThenNothing() {
    for (long left = 4; left >= 0; left--) {
      assertAllowed(take(threePerSecond, 1), left);
    }
    assertDenied(take(threePerSecond, 1), micros(333_334));
  }

  @Test
  void aThirdOfASecondBringsOnePermitAndNotAMicrosecondSooner() {
    take(threePerSecond, 5);
    at(micros(333_333));
    assertDenied(take(threePerSecond, 1), micros(1));
    at(micros(333_334));
    Decision decision = take(threePerSecond, 1);
    assertAllowed(decision, 0);
    // Six taken and 1.000002 drained: 4.999998 are missing.
    assertThat(decision.resetAfter()).isEqualTo(micros(1_666_666));
  }

  @Test
  void fractionsOfPermitsAddUpWithoutDrift() {
    take(threePerSecond, 5);
    for (int second = 1; second <= 20; second++) {
      atSeconds(second);
      assertAllowed(take(threePerSecond, 3), 0);
      assertDenied(take(threePerSecond, 1), micros(333_334));
    }
  }

  @Test
  void permitsThatFlowFasterThanTheClockTicksAreAllCounted() {
    Limit fast = Limit.tokenBucket(700_000, Duration.ofSeconds(1), 10);
    take(fast, 10);
    at(micros(10));
    assertAllowed(take(fast, 7), 0);
    assertDenied(take(fast, 1), micros(2));
  }

  @Test
  void aRestFillsTheBucketAndNoMore() {
    take(threePerSecond, 5);
    atSeconds(3_600);
    assertThat(peek(threePerSecond).resetAfter()).isZero();
    assertAllowed(take(threePerSecond, 5), 0);
    assertDenied(take(threePerSecond, 1), micros(333_334));
  }

  @Test
  void requestIsGrantedCompletelyOrNotAtAll() {
    assertAllowed(take(threePerSecond, 3), 2);
    Decision denied = take(threePerSecond, 4);
    assertDenied(denied, micros(666_667));
    assertThat(denied.remaining()).isEqualTo(2);
    assertAllowed(take(threePerSecond, 2), 0);
  }

  @Test
  void aGrantIsNeverDelayed() {
    assertThat(take(threePerSecond, 1).delay()).isZero();
    assertThat(take(threePerSecond, 4).delay()).isZero();
  }

  @Test
  void resetAfterIsWhenTheBucketIsFullAgain() {
    assertThat(take(threePerSecond, 1).resetAfter()).isEqualTo(micros(333_334));
    at(micros(333_333));
    assertThat(peek(threePerSecond).resetAfter()).isEqualTo(micros(1));
    assertThat(peek(threePerSecond).remaining()).isEqualTo(4);
    at(micros(333_334));
    assertThat(peek(threePerSecond).resetAfter()).isZero();
    assertThat(peek(threePerSecond).remaining()).isEqualTo(5);
  }
}
