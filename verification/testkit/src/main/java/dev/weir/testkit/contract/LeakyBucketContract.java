package dev.weir.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limit;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Timelines of a leaky bucket. */
abstract class LeakyBucketContract extends ContractGroup {
  private final Limit twoPerSecond = Limit.leakyBucket(2, Duration.ofSeconds(1), 3);

  LeakyBucketContract(StoreContract contract) {
    super(contract);
  }

  @Test
  void requestsLeaveEvenlySpacedUntilTheQueueIsFull() {
    for (int i = 0; i < 4; i++) {
      assertThat(take(twoPerSecond, 1).delay()).isEqualTo(Duration.ofMillis(500L * i));
    }
    assertDenied(take(twoPerSecond, 1), Duration.ofMillis(500));
  }

  @Test
  void aQueueSlotFreesWhenTheFirstRequestLeaves() {
    take(twoPerSecond, 4);
    at(Duration.ofMillis(499));
    assertDenied(take(twoPerSecond, 1), Duration.ofMillis(1));
    at(Duration.ofMillis(500));
    assertThat(take(twoPerSecond, 1).delay()).isEqualTo(Duration.ofMillis(1_500));
  }

  @Test
  void aRequestOfSeveralPermitsWaitsForAllButItsLast() {
    assertThat(take(twoPerSecond, 2).delay()).isEqualTo(Duration.ofMillis(500));
    assertThat(take(twoPerSecond, 2).delay()).isEqualTo(Duration.ofMillis(1_500));
  }

  @Test
  void aRequestAtTheRateIsNotDelayed() {
    for (int i = 0; i < 10; i++) {
      at(Duration.ofMillis(500L * i));
      assertThat(take(twoPerSecond, 1).delay()).isZero();
    }
  }

  @Test
  void aRequestThatComesEarlyWaitsForTheRestOfTheGap() {
    take(twoPerSecond, 1);
    at(Duration.ofMillis(200));
    assertThat(take(twoPerSecond, 1).delay()).isEqualTo(Duration.ofMillis(300));
  }

  @Test
  void delaysRoundUpToTheMicrosecond() {
    Limit threePerSecond = Limit.leakyBucket(3, Duration.ofSeconds(1), 2);
    take(threePerSecond, 1);
    assertThat(take(threePerSecond, 1).delay()).isEqualTo(micros(333_334));
    assertThat(take(threePerSecond, 1).delay()).isEqualTo(micros(666_667));
  }

  @Test
  void noQueueMeansOneAtATime() {
    Limit strict = Limit.leakyBucket(2, Duration.ofSeconds(1), 0);
    assertAllowed(take(strict, 1), 0);
    assertDenied(take(strict, 1), Duration.ofMillis(500));
  }
}
