package dev.weir.server.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.limiter.Limiter.Outcome;
import dev.weir.server.live.DecisionHistory.RuleDenials;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DecisionHistoryTest {
  private final DecisionHistory history = new DecisionHistory();
  private final Map<String, Long> denied = new HashMap<>();

  private void tick(long allowed) {
    history.tick(Map.of(Outcome.ALLOWED, allowed), denied);
  }

  @Test
  void whatWasCountedBeforeTheFirstSecondIsNotShown() {
    denied.put("login", 1_000L);
    tick(5_000);
    tick(5_007);
    assertThat(history.seconds(Outcome.ALLOWED, 2)).containsExactly(0, 7);
    assertThat(history.seconds(Outcome.DENIED, 2)).containsExactly(0, 0);
    assertThat(history.denials(10)).isEmpty();
    assertThat(history.length()).isEqualTo(2);
  }

  @Test
  void denialsArePerSecondOfTheLastMinuteBesideTheSameMinuteAnHourAgo() {
    tick(0);
    for (int second = 1; second <= 3_700; second++) {
      // 2 a second in the first minutes, then none for nearly an hour, then 6 a second.
      long more = second < 200 ? 2 : second > 3_600 ? 6 : 0;
      denied.merge("login", more, Long::sum);
      tick(0);
    }
    RuleDenials login = history.denials(10).get(0);
    assertThat(login.rule()).isEqualTo("login");
    assertThat(login.perSecond()).isEqualTo(6);
    assertThat(login.hourAgo()).isEqualTo(2);
    assertThat(login.seconds()).hasSize(60).containsOnly(6);
  }

  @Test
  void rulesAreSortedByTheirRateAndQuietOnesLeftOut() {
    tick(0);
    denied.putAll(Map.of("few", 3L, "many", 30L, "none", 0L));
    tick(0);
    assertThat(history.denials(10)).extracting(RuleDenials::rule).containsExactly("many", "few");
    assertThat(history.denials(1)).hasSize(1);
    for (int second = 0; second < 60; second++) {
      tick(0);
    }
    assertThat(history.denials(10)).isEmpty();
  }

  @Test
  void rulesThatDeniedLongestAgoMakeRoom() {
    tick(0);
    for (int rule = 0; rule < DecisionHistory.MAX_RULES + 10; rule++) {
      denied.put("rule " + rule, 1L);
      tick(0);
    }
    assertThat(history.denials(1_000))
        .hasSizeLessThanOrEqualTo(DecisionHistory.MAX_RULES)
        .extracting(RuleDenials::rule)
        .contains("rule " + (DecisionHistory.MAX_RULES + 9))
        .doesNotContain("rule 0");
  }
}
