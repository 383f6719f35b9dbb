package dev.weir.sketch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.weir.sketch.FrequencySummary.Entry;
import dev.weir.testkit.Seeds;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SpaceSavingTest {
  @ParameterizedTest
  @EnumSource
  void everyKeyAboveTheBoundIsListedAndNoErrorIsAboveIt(Streams stream) {
    Seeds.run(
        random -> {
          SpaceSaving sketch = SpaceSaving.of(1_024);
          ExactCounts exact = new ExactCounts();
          for (long key : stream.keys(random)) {
            sketch.add(key);
            exact.add(key);
          }
          exact.check(sketch.summary(), 1_024);
        });
  }

  @Test
  void fewKeysAreCountedExactly() {
    SpaceSaving sketch = SpaceSaving.of(1_024);
    for (long key = 1; key <= 1_000; key++) {
      for (int i = 0; i < key % 7 + 1; i++) {
        sketch.add(key);
      }
    }
    FrequencySummary summary = sketch.summary();
    assertThat(summary.floor()).isZero();
    assertThat(summary.entries())
        .hasSize(1_000)
        .allMatch(entry -> entry.error() == 0 && entry.count() == entry.key() % 7 + 1);
  }

  @Test
  void newKeyTakesOverTheSmallestCountAsItsError() {
    SpaceSaving sketch = SpaceSaving.of(16);
    for (long key = 0; key < 16; key++) {
      sketch.add(key);
      sketch.add(key);
    }
    sketch.add(3);
    assertThat(sketch.add(99)).isTrue();
    assertThat(sketch.summary().top(2))
        .extracting(Entry::count, Entry::error)
        .containsExactlyInAnyOrder(tuple(3L, 0L), tuple(3L, 2L));
    assertThat(sketch.summary().floor()).isEqualTo(2);
  }

  @Test
  void notesLastAsLongAsTheCounter() {
    SpaceSaving sketch = SpaceSaving.of(16);
    assertThat(sketch.add(1)).isTrue();
    sketch.note(1, "one");
    assertThat(sketch.add(1)).isFalse();
    assertThat(sketch.summary().entries()).containsExactly(new Entry(1, 2, 0, "one"));
    for (long key = 100; key < 150; key++) {
      sketch.add(key);
    }
    assertThat(sketch.add(1)).isTrue(); // it had lost its counter
    assertThat(noteOf(sketch, 1)).isNull();
    sketch.note(77, "nobody"); // without a counter there is nowhere to note it
  }

  private static @Nullable Object noteOf(SpaceSaving sketch, long key) {
    return sketch.summary().entries().stream()
        .filter(entry -> entry.key() == key)
        .findFirst()
        .orElseThrow()
        .note();
  }

  @Test
  void sketchesShareABudgetAndStateTheLargerError() {
    CounterBudget budget = new CounterBudget(64);
    SpaceSaving first = new SpaceSaving(1_024, budget);
    SpaceSaving second = new SpaceSaving(1_024, budget);
    ExactCounts exact = new ExactCounts();
    for (int i = 0; i < 10_000; i++) {
      long key = i % 50;
      first.add(key);
      second.add(key);
      exact.add(key);
    }
    assertThat(budget.used()).isEqualTo(64);
    exact.check(first.summary(), 32);
    exact.check(second.summary(), 32);
    first.release();
    assertThat(budget.used()).isEqualTo(32);
  }

  @Test
  void freedBudgetDoesNotMakeASketchForgetWhatItMayHaveMissed() {
    CounterBudget budget = new CounterBudget(32);
    SpaceSaving other = new SpaceSaving(1_024, budget);
    SpaceSaving sketch = new SpaceSaving(1_024, budget);
    ExactCounts exact = new ExactCounts();
    for (int i = 0; i < 2_000; i++) {
      if (i == 1_000) {
        other.release();
      }
      sketch.add(i % 40);
      exact.add(i % 40);
    }
    exact.check(sketch.summary(), 16);
  }

  @Test
  void tooFewCountersAreRejected() {
    assertThatThrownBy(() -> SpaceSaving.of(15))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("max: 15 (expected: at least 16)");
  }

  @ParameterizedTest
  @EnumSource
  void mergedSummariesKeepTheBound(Streams stream) {
    Seeds.run(
        random -> {
          ExactCounts exact = new ExactCounts();
          List<SpaceSaving> parts =
              List.of(SpaceSaving.of(1_024), SpaceSaving.of(1_024), SpaceSaving.of(1_024));
          for (long key : stream.keys(random)) {
            // Unequal parts, of which one sees most of each key.
            int part = random.nextInt(10) < 7 ? (int) (key & 1) : random.nextInt(3);
            parts.get(part).add(key);
            exact.add(key);
          }
          List<FrequencySummary> each = parts.stream().map(SpaceSaving::summary).toList();
          exact.check(FrequencySummary.merge(each, 1_024), 1_024);
          FrequencySummary two = FrequencySummary.merge(each.subList(0, 2), 1_024);
          exact.check(FrequencySummary.merge(List.of(two, each.get(2)), 1_024), 1_024);
        });
  }

  @Test
  void mergeOfNothingIsEmpty() {
    assertThat(FrequencySummary.merge(List.of(), 10)).isEqualTo(FrequencySummary.EMPTY);
    assertThat(FrequencySummary.merge(List.of(FrequencySummary.EMPTY), 10))
        .isEqualTo(FrequencySummary.EMPTY);
  }

  @Test
  void truncatedSummaryStatesWhatItLeftOut() {
    FrequencySummary all =
        new FrequencySummary(
            List.of(new Entry(1, 9, 0, null), new Entry(2, 7, 0, "two"), new Entry(3, 5, 0, null)),
            0,
            21);
    FrequencySummary two = FrequencySummary.merge(List.of(all), 2);
    assertThat(two.entries()).extracting(Entry::key).containsExactly(1L, 2L);
    assertThat(two.floor()).isEqualTo(5);
    FrequencySummary other =
        new FrequencySummary(List.of(new Entry(3, 4, 1, null), new Entry(2, 1, 0, null)), 1, 6);
    assertThat(FrequencySummary.merge(List.of(two, other), 3).top(9))
        .containsExactly(
            new Entry(1, 10, 1, null), new Entry(3, 9, 6, null), new Entry(2, 8, 0, "two"));
  }
}
