package dev.weir.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.LimitKey;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class HeatTest {
  private static final long SECOND = 1_000_000_000L;

  private final Heat heat = new Heat();
  private final SplittableRandom random = new SplittableRandom(7);

  private LimitKey any() {
    return new LimitKey(random.nextLong(), random.nextLong());
  }

  @Test
  void aKeyIsCountedBySeconds() {
    LimitKey key = any();
    for (long second = -3; second < 3; second++) {
      for (int i = 1; i <= 1_000; i++) {
        assertThat(heat.add(key, second * SECOND + i)).isEqualTo(i);
      }
    }
  }

  @Test
  void keysThatAreAskedForOnceAreHardlyEverTakenForOthers() {
    int mistaken = 0;
    for (int i = 0; i < 100_000; i++) {
      mistaken += heat.add(any(), SECOND) > 1 ? 1 : 0;
    }
    assertThat(mistaken).as("one in 65,536").isLessThan(10);
  }

  @Test
  void aKeyThatIsAskedForOftenIsKnownAmongManyThatAreNot() {
    LimitKey often = any();
    long count = 0;
    for (int i = 0; i < 150; i++) {
      count = heat.add(often, SECOND);
      for (int other = 0; other < 50; other++) {
        heat.add(any(), SECOND);
      }
    }
    assertThat(count).isBetween(130L, 150L);
  }

  @Test
  void keysThatMeetPartAgain() {
    LimitKey one = any();
    LimitKey other = meeting(one);
    int met = 0;
    for (long second = 0; second < 50; second++) {
      long count = 0;
      for (int i = 0; i < 100; i++) {
        heat.add(other, second * SECOND);
        count = heat.add(one, second * SECOND);
      }
      met += count < 100 ? 1 : 0;
    }
    assertThat(met).isBetween(1, 3);
  }

  /** A key that has the same place as another in the second 0. */
  private LimitKey meeting(LimitKey one) {
    while (true) {
      Heat fresh = new Heat();
      LimitKey other = any();
      fresh.add(one, 0);
      fresh.add(one, 0);
      fresh.add(other, 0);
      if (fresh.add(one, 0) < 3) {
        return other;
      }
    }
  }
}
