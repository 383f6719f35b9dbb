package dev.weir.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.rule.book.Match;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rules that are in shadow for a share of callers. */
class ShadowRolloutTest {
  private static RulesSnapshot rule(String rule) throws RulesRejected {
    return TestRules.snapshot("rules:\n  - {name: a, per: header X-Key, " + rule + "}\n");
  }

  private static FakeRequest requestOf(int caller) {
    return FakeRequest.get("/").with("X-Key", "k" + caller);
  }

  @Test
  void shadowRuleCountsOnlyItsShareOfCallers() throws Exception {
    RulesSnapshot rules = rule("limit: [1/s, 5/h], shadow: true, rollout: 10%");
    int counted = 0;
    for (int i = 0; i < 5_000; i++) {
      Match match = rules.match(requestOf(i), 0);
      assertThat(match.claims()).isEmpty();
      assertThat(match.shadows().size()).isIn(0, 2);
      counted += match.shadows().size() / 2;
    }
    assertThat(counted).isBetween(400, 600);
  }

  @Test
  void sameCallersAreEnforcedOnceTheShadowIsLifted() throws Exception {
    RulesSnapshot trial = rule("limit: 1/s, shadow: true, rollout: 25%");
    RulesSnapshot real = rule("limit: 1/s, rollout: 25%");
    List<Integer> counted = new ArrayList<>();
    List<Integer> enforced = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      if (!trial.match(requestOf(i), 0).shadows().isEmpty()) {
        counted.add(i);
      }
      if (!real.match(requestOf(i), 0).claims().isEmpty()) {
        enforced.add(i);
      }
    }
    assertThat(counted).isNotEmpty().isEqualTo(enforced);
  }

  @Test
  void shadowBlocksAreReportedOnlyForTheShare() throws Exception {
    RulesSnapshot rules = rule("limit: blocked, shadow: true, rollout: 50%");
    int blocks = 0;
    for (int i = 0; i < 1_000; i++) {
      Match match = rules.match(requestOf(i), 0);
      assertThat(match.blockedBy()).isEmpty();
      blocks += match.shadowBlocks().size();
    }
    assertThat(blocks).isBetween(400, 600);
  }

  @Test
  void rolloutOf100PercentIsShadowAndOf0IsNoRule() throws Exception {
    assertThat(rule("limit: 1/s, shadow: true, rollout: 100%").match(requestOf(1), 0).shadows())
        .hasSize(1);
    assertThat(rule("limit: 1/s, shadow: true, rollout: 0%").match(requestOf(1), 0).shadows())
        .isEmpty();
    assertThat(rule("limit: 1/s, shadow: false, rollout: 100%").match(requestOf(1), 0).claims())
        .hasSize(1);
  }

  @Test
  void explanationSaysThatTheCallerIsOutsideTheShare() throws Exception {
    RulesSnapshot rules = rule("limit: 1/s, shadow: true, rollout: 10%");
    for (int i = 0; i < 100; i++) {
      var explained = rules.book().explain(rules.reader().read(requestOf(i)), 0).get(0);
      assertThat(explained.caller().outside()).isEqualTo(explained.match().shadows().isEmpty());
      assertThat(explained.applies()).isEqualTo(!explained.caller().outside());
    }
  }
}
