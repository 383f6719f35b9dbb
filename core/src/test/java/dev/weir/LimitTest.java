package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The integer form of a limit. */
class LimitTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  @Test
  void ratesThatDoNotDivideTheirPeriodAreWholeNumbersOfUnits() {
    Limit three = Limit.tokenBucket(3, SECOND);
    assertThat(three.tickMicros()).isEqualTo(1);
    assertThat(three.unitsPerTick()).isEqualTo(3);
    assertThat(three.unitsPerPermit()).isEqualTo(1_000_000);

    Limit fast = Limit.tokenBucket(700_000, SECOND);
    assertThat(fast.unitsPerTick()).isEqualTo(7);
    assertThat(fast.unitsPerPermit()).isEqualTo(10);
  }

  @Test
  void theTickIsAsFineAsTheNumbersAllow() {
    Duration day = Duration.ofDays(1);
    assertThat(Limit.tokenBucket(1_000, day).tickMicros()).isEqualTo(1);
    assertThat(Limit.tokenBucket(9_999_991, day).tickMicros()).isEqualTo(1_000);
    assertThat(Limit.slidingCounter(1_000, day).tickMicros()).isEqualTo(1);
    assertThat(Limit.slidingCounter(1_000_000, day).tickMicros()).isEqualTo(1_000);
    assertThat(Limit.slidingCounter(1_000_000_000, day).tickMicros()).isEqualTo(1_000_000);
  }

  @Test
  void everyCapacityStaysCountableInDoubles() {
    Limit largest = Limit.tokenBucket(Limit.MAX_CAPACITY_UNITS, SECOND, Limit.MAX_CAPACITY_UNITS);
    assertThat(largest.capacityUnits()).isEqualTo(1L << 51);
    Limit longest = Limit.tokenBucket(1, Limit.MAX_WINDOW, 7);
    assertThat(longest.capacityUnits()).isLessThanOrEqualTo(1L << 51);
  }

  @Test
  void limitsWithTheSameNumbersCountAlikeWhateverTheirCost() {
    Limit limit = Limit.tokenBucket(10, SECOND, 20);
    assertThat(limit.withCost(5)).isNotEqualTo(limit);
    assertThat(limit.withCost(5).countsLike(limit)).isTrue();
    assertThat(limit.withCost(1)).isEqualTo(limit).hasSameHashCodeAs(limit);
    assertThat(Limit.tokenBucket(10, SECOND, 21).countsLike(limit)).isFalse();
  }

  @Test
  void toStringShowsTheNumbersOfTheOperator() {
    assertThat(Limit.tokenBucket(10, SECOND, 20)).hasToString("TOKEN_BUCKET 10/PT1S burst 20");
    assertThat(Limit.leakyBucket(10, SECOND, 20)).hasToString("LEAKY_BUCKET 10/PT1S queue 20");
    assertThat(Limit.slidingLog(5, SECOND)).hasToString("SLIDING_LOG 5/PT1S");
  }
}
