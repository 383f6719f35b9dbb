package dev.weir.testkit.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Algorithm;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.testkit.PureCounter;
import dev.weir.testkit.Seeds;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A caller within the rate is never denied. */
class NeverDeniedTest {
  private static final int LIMITS = 500;
  private static final int REQUESTS = 500;

  @ParameterizedTest
  @EnumSource(
      value = Algorithm.class,
      names = {"TOKEN_BUCKET", "LEAKY_BUCKET", "FIXED_WINDOW", "SLIDING_LOG"})
  void aCallerAtOrBelowTheRateIsNeverDeniedNorDelayed(Algorithm algorithm) {
    Seeds.run(
        random -> {
          RandomLimits limits = new RandomLimits(random);
          for (int i = 0; i < LIMITS; i++) {
            Limit limit = limits.next(algorithm);
            passes(random, limit, limit.permits());
          }
        });
  }

  @Test
  void aCallerAtOrBelowTheLimitLessOneIsNeverDeniedByASlidingCounter() {
    Seeds.run(
        random -> {
          RandomLimits limits = new RandomLimits(random);
          for (int i = 0; i < LIMITS; ) {
            Limit limit = limits.next(Algorithm.SLIDING_COUNTER);
            if (limit.permits() > 1) {
              passes(random, limit, limit.permits() - 1);
              i++;
            }
          }
        });
  }

  /** Sends requests at a rate of at most {@code perWindow} in a window. */
  private static void passes(SplittableRandom random, Limit limit, long perWindow) {
    PureCounter counter = new PureCounter(limit);
    long gap = ModelCounter.roundedUp(limit, Rational.of(limit.windowMicros(), perWindow));
    long now = random.nextLong(limit.windowMicros() * 3);
    for (int i = 0; i < REQUESTS; i++) {
      Decision decision = counter.take(1, now);
      assertThat(decision.allowed()).as("%s, request %s: %s", limit, i, decision).isTrue();
      assertThat(decision.delay()).as("%s, request %s: %s", limit, i, decision).isZero();
      boolean late = random.nextInt(10) == 0;
      now += late ? gap + random.nextLong(gap) : gap;
    }
  }
}
