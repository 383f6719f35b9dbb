package dev.weir.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A body needs its minimum of bytes in each period. */
class BodyPaceTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final int MINIMUM = 10 * BodyPace.MIN_BYTES_PER_SECOND;

  private final BodyPace pace = new BodyPace(Duration.ofSeconds(10), 0);

  @Test
  void oneByteInASecondIsTooSlowAfterThePeriod() {
    for (long second = 1; second < 10; second++) {
      assertThat(pace.isTooSlow(second * SECOND, second, false)).isFalse();
    }
    assertThat(pace.isTooSlow(10 * SECOND, 10, false)).isTrue();
  }

  @Test
  void theMinimumIsEnough() {
    for (long period = 1; period < 100; period++) {
      assertThat(pace.isTooSlow(period * 10 * SECOND, period * MINIMUM, false)).isFalse();
    }
  }

  @Test
  void muchAtFirstDoesNotCountLater() {
    assertThat(pace.isTooSlow(10 * SECOND, 1L << 30, false)).isFalse();
    assertThat(pace.isTooSlow(20 * SECOND, (1L << 30) + MINIMUM - 1, false)).isTrue();
  }

  @Test
  void timeInWhichTheUpstreamTakesNothingIsNotTheClients() {
    for (long second = 1; second < 100; second++) {
      assertThat(pace.isTooSlow(second * SECOND, 0, true)).isFalse();
    }
    assertThat(pace.isTooSlow(108 * SECOND, 0, false)).isFalse();
    assertThat(pace.isTooSlow(109 * SECOND, 0, false)).isTrue();
  }
}
