package dev.weir.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.limiter.Agreement;
import dev.weir.server.exposition.Exposition;
import dev.weir.server.metrics.CandidateStats.Comparison;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a server remembers of candidates: the last minute, and all since the start. */
class CandidateStatsTest {
  private final CandidateStats stats = new CandidateStats();

  private void count(String rule, Agreement agreement, int times) {
    for (int i = 0; i < times; i++) {
      stats.count(rule, agreement);
    }
  }

  private void seconds(int number) {
    for (int i = 0; i < number; i++) {
      stats.tick();
    }
  }

  private Map<Agreement, Long> lastMinute() {
    return stats.recent(1).get(0).lastMinute();
  }

  @Test
  void lastMinuteForgetsWhatIsOlder() {
    count("a", Agreement.BOTH_ALLOW, 3);
    seconds(30);
    count("a", Agreement.CANDIDATE_DENIES, 2);
    seconds(30);
    assertThat(lastMinute())
        .containsEntry(Agreement.BOTH_ALLOW, 3L)
        .containsEntry(Agreement.CANDIDATE_DENIES, 2L)
        .containsEntry(Agreement.BOTH_DENY, 0L);
    seconds(1);
    assertThat(lastMinute())
        .containsEntry(Agreement.BOTH_ALLOW, 0L)
        .containsEntry(Agreement.CANDIDATE_DENIES, 2L);
    seconds(30);
    assertThat(lastMinute().values()).containsOnly(0L);
    assertThat(stats.recent(1).get(0).total())
        .containsEntry(Agreement.BOTH_ALLOW, 3L)
        .containsEntry(Agreement.CANDIDATE_DENIES, 2L);
  }

  @Test
  void rulesThatDifferMostComeFirstAndIdleOnesGoAfterAnHour() {
    count("agrees", Agreement.BOTH_DENY, 9);
    count("stricter", Agreement.CANDIDATE_DENIES, 1);
    count("differs", Agreement.CANDIDATE_ALLOWS, 4);
    seconds(1);
    assertThat(stats.recent(9))
        .extracting(Comparison::rule)
        .containsExactly("differs", "stricter", "agrees");
    assertThat(stats.recent(2)).hasSize(2);
    seconds(3_599);
    count("agrees", Agreement.BOTH_ALLOW, 1);
    seconds(1);
    assertThat(stats.recent(9)).extracting(Comparison::rule).containsExactly("agrees");
  }

  @Test
  void rulesBeyondTheMaximumAreCountedTogether() {
    for (int i = 0; i < 503; i++) {
      count("r" + i, Agreement.BOTH_ALLOW, 1);
    }
    Exposition out = new Exposition();
    stats.accept(out);
    List<String> samples =
        out.toString().lines().filter(line -> line.contains("both-allow")).toList();
    assertThat(samples).hasSize(501);
    assertThat(samples)
        .filteredOn(line -> line.contains("\"other\""))
        .singleElement()
        .asString()
        .endsWith(" 3");
  }
}
