package dev.weir.shared.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.LimitKey;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** How well hot keys are recognized. */
class HotKeySketchTest {
  private static final long SECOND = 1_000_000_000L;

  private final HotKeySketch sketch = new HotKeySketch();
  private final SplittableRandom random = new SplittableRandom(7);

  private LimitKey any() {
    return new LimitKey(random.nextLong(), random.nextLong());
  }

  @Test
  void keyIsCountedForEachSecond() {
    LimitKey key = any();
    for (long second = -3; second < 3; second++) {
      for (int i = 1; i <= 1_000; i++) {
        assertThat(sketch.add(key, second * SECOND + i)).isEqualTo(i);
      }
    }
  }

  @Test
  void rareKeysSeldomCollide() {
    int mistaken = 0;
    for (int i = 0; i < 100_000; i++) {
      mistaken += sketch.add(any(), SECOND) > 1 ? 1 : 0;
    }
    assertThat(mistaken).as("one in 65,536").isLessThan(10);
  }

  @Test
  void frequentKeyIsRecognizedAmongRareOnes() {
    LimitKey frequent = any();
    long count = 0;
    for (int i = 0; i < 150; i++) {
      count = sketch.add(frequent, SECOND);
      for (int other = 0; other < 50; other++) {
        sketch.add(any(), SECOND);
      }
    }
    assertThat(count).isBetween(130L, 150L);
  }

  @Test
  void collidingKeysPartAgainInTheNextSecond() {
    LimitKey one = any();
    LimitKey other = colliding(one);
    int collisions = 0;
    for (long second = 0; second < 50; second++) {
      long count = 0;
      for (int i = 0; i < 100; i++) {
        sketch.add(other, second * SECOND);
        count = sketch.add(one, second * SECOND);
      }
      collisions += count < 100 ? 1 : 0;
    }
    assertThat(collisions).isBetween(1, 3);
  }

  /** A key with the same slot as another in the second 0. */
  private LimitKey colliding(LimitKey one) {
    while (true) {
      HotKeySketch fresh = new HotKeySketch();
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
