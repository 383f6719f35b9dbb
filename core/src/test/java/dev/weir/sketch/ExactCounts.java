package dev.weir.sketch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.sketch.FrequencySummary.Entry;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Counts every key exactly, to compare a summary with. */
final class ExactCounts {
  private final Map<Long, Long> counts = new HashMap<>();
  private long total;

  void add(long key) {
    counts.merge(key, 1L, Long::sum);
    total++;
  }

  long total() {
    return total;
  }

  /** Checks all that is promised of a summary that had {@code counters} counters. */
  void check(FrequencySummary summary, int counters) {
    long bound = total / counters;
    assertThat(summary.total()).isEqualTo(total);
    assertThat(summary.entries()).hasSizeLessThanOrEqualTo(counters);
    assertThat(summary.floor()).isLessThanOrEqualTo(bound);
    Set<Long> listed = new HashSet<>();
    for (Entry entry : summary.entries()) {
      long exact = counts.getOrDefault(entry.key(), 0L);
      assertThat(listed.add(entry.key())).as("each key once").isTrue();
      assertThat(entry.count()).as("upper bound of %s", entry).isGreaterThanOrEqualTo(exact);
      assertThat(entry.count() - entry.error()).as("lower bound").isLessThanOrEqualTo(exact);
      assertThat(entry.error()).as("error").isLessThanOrEqualTo(bound);
    }
    counts.forEach(
        (key, exact) -> {
          if (exact > bound) {
            assertThat(listed).as("keys added more than %s times", bound).contains(key);
          }
          if (!listed.contains(key)) {
            assertThat(exact).as("a key that is not listed").isLessThanOrEqualTo(summary.floor());
          }
        });
  }
}
