package dev.weir.sketch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.sketch.FrequencySummary.Entry;
import dev.weir.testkit.Seeds;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class HeavyHittersTest {
  private final CounterBudget budget = new CounterBudget(100_000);
  private final HeavyHitters hitters = new HeavyHitters(2, budget);

  @ParameterizedTest
  @EnumSource
  void generationsTogetherKeepTheBound(Streams stream) {
    Seeds.run(
        random -> {
          HeavyHitters counted = new HeavyHitters(4, new CounterBudget(1_000_000));
          ExactCounts minute = new ExactCounts();
          ExactCounts hour = new ExactCounts();
          long[] keys = stream.keys(random);
          for (int i = 0; i < keys.length; i++) {
            if (i > 0 && i % 150_000 == 0) {
              counted.rotate();
            }
            counted.add(keys[i], null);
            hour.add(keys[i]);
            if (i >= 750_000) {
              minute.add(keys[i]); // what follows the last rotation but one
            }
          }
          minute.check(counted.minute(), 1_024);
          hour.check(counted.hour(), 1_024);
        });
  }

  @Test
  void minuteForgetsWhatIsOlderThanTwoGenerations() {
    hitters.add(1, null);
    hitters.rotate();
    hitters.add(2, null);
    assertThat(hitters.minute().entries()).extracting(Entry::key).containsExactlyInAnyOrder(1L, 2L);
    hitters.rotate();
    assertThat(hitters.minute().entries()).extracting(Entry::key).containsExactly(2L);
    hitters.rotate();
    assertThat(hitters.minute()).isEqualTo(FrequencySummary.EMPTY);
    assertThat(hitters.hour().entries()).extracting(Entry::key).containsExactlyInAnyOrder(1L, 2L);
  }

  @Test
  void hourForgetsAfterTwoOfItsGenerations() {
    hitters.add(1, null);
    for (int i = 0; i < 2 * HeavyHitters.ROTATIONS_PER_GENERATION - 1; i++) {
      assertThat(hitters.isIdle()).isFalse();
      hitters.rotate();
    }
    assertThat(hitters.hour().total()).isEqualTo(1);
    hitters.rotate();
    assertThat(hitters.isIdle()).isTrue();
    assertThat(hitters.hour()).isEqualTo(FrequencySummary.EMPTY);
  }

  @Test
  void notesAreMadeForNewKeysOnly() {
    int[] made = {0};
    for (int i = 0; i < 5; i++) {
      hitters.add(7, () -> "note " + ++made[0]);
    }
    assertThat(hitters.minute().entries()).containsExactly(new Entry(7, 5, 0, "note 1"));
    hitters.rotate();
    assertThat(hitters.hour().entries()).containsExactly(new Entry(7, 5, 0, "note 1"));
  }

  @Test
  void rotationGivesCountersBack() {
    for (long key = 0; key < 10_000; key++) {
      hitters.add(key, null);
    }
    assertThat(budget.used()).isPositive();
    hitters.rotate();
    assertThat(budget.used()).isZero();
  }

  @Test
  void everyAdditionOfManyThreadsIsCounted() throws InterruptedException {
    int threads = 8;
    int each = 50_000;
    List<Thread> all = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      int key = i;
      Thread thread =
          new Thread(
              () -> {
                for (int n = 0; n < each; n++) {
                  hitters.add(key % 4, null);
                }
              });
      all.add(thread);
      thread.start();
    }
    for (int i = 0; i < 20; i++) {
      assertThat(hitters.minute().total()).isLessThanOrEqualTo((long) threads * each);
    }
    for (Thread thread : all) {
      thread.join();
    }
    assertThat(hitters.minute().top(4))
        .hasSize(4)
        .allMatch(entry -> entry.count() == 2L * each && entry.error() == 0);
  }

  @Test
  void stripesMustBeAPowerOfTwo() {
    assertThatThrownBy(() -> new HeavyHitters(3, budget))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("stripes: 3 (expected: a power of two)");
  }
}
