package dev.weir.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limit;
import dev.weir.Mode;
import dev.weir.shared.fleet.LimitScaler;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The share of a limit that a server enforces in a local mode. */
class LimitScalerShareTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  @Test
  void ratesAreDividedExactlyAndReduced() {
    assertThat(LimitScaler.of(Limit.tokenBucket(100, SECOND, 200), 2_500))
        .isEqualTo(Limit.tokenBucket(25, SECOND, 50));
    assertThat(LimitScaler.of(Limit.tokenBucket(5, SECOND, 20), 1_000))
        .isEqualTo(Limit.tokenBucket(1, SECOND.multipliedBy(2), 2));
    assertThat(LimitScaler.of(Limit.leakyBucket(3, SECOND, 9), 3_333))
        .isEqualTo(Limit.leakyBucket(9_999, SECOND.multipliedBy(10_000), 2));
  }

  @Test
  void wholePermitsAreRoundedDownToAtLeastOne() {
    assertThat(LimitScaler.of(Limit.fixedWindow(50, SECOND), 999))
        .isEqualTo(Limit.fixedWindow(4, SECOND));
    assertThat(LimitScaler.of(Limit.concurrent(5, SECOND), 1))
        .isEqualTo(Limit.concurrent(1, SECOND));
  }

  @Test
  void theWholeShareIsTheLimitItself() {
    Limit limit = Limit.slidingLog(7, SECOND);
    assertThat(LimitScaler.of(limit, Mode.WHOLE)).isSameAs(limit);
  }

  /** Rounded to whole permits, such a burst would take more than a century to refill. */
  @Test
  void aBurstThatWouldRefillTooSlowlyIsReduced() {
    Limit part = LimitScaler.of(Limit.tokenBucket(3, Duration.ofDays(1), 100_000), 5_999);
    assertThat(part).isEqualTo(Limit.tokenBucket(1, Duration.ofDays(1), 29_995));
  }

  @Test
  void everyLimitCanBeScaledToAnyShare() {
    long seed = Long.getLong("weir.seed", System.nanoTime());
    Random random = new Random(seed);
    int bursts = 0;
    for (int i = 0; i < 20_000; i++) {
      long permits = 1 + (random.nextLong() >>> (13 + random.nextInt(51)));
      long burst = 1 + (random.nextLong() >>> (13 + random.nextInt(51)));
      Duration window = Duration.ofMillis(1 + random.nextInt(1 << (1 + random.nextInt(29))));
      Limit limit;
      try {
        limit = Limit.tokenBucket(permits, window, burst);
        bursts++;
      } catch (IllegalArgumentException e) {
        continue; // cannot be counted
      }
      Limit part = LimitScaler.of(limit, 1 + random.nextInt(Mode.WHOLE - 1));
      assertThat(part.capacity()).as(limit + " with seed " + seed).isBetween(1L, limit.capacity());
    }
    assertThat(bursts).isGreaterThan(1_000);
  }
}
