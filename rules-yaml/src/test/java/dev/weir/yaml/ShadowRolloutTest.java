package dev.weir.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.rule.Match;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A rule in shadow for some callers. */
class ShadowRolloutTest {
  private static LiveRules rule(String rule) throws RulesRefused {
    return TestRules.live("rules:\n  - {name: a, per: header X-Key, " + rule + "}\n");
  }

  private static FakeRequest by(int caller) {
    return FakeRequest.get("/").with("X-Key", "k" + caller);
  }

  @Test
  void theRuleCountsForItsShareOfCallersAndIsNotThereForTheRest() throws Exception {
    LiveRules rules = rule("limit: [1/s, 5/h], shadow: true, rollout: 10%");
    int watched = 0;
    for (int i = 0; i < 5_000; i++) {
      Match match = rules.match(by(i), 0);
      assertThat(match.claims()).isEmpty();
      assertThat(match.shadows().size()).isIn(0, 2);
      watched += match.shadows().size() / 2;
    }
    assertThat(watched).isBetween(400, 600);
  }

  @Test
  void theSameCallersAreEnforcedOnceTheShadowIsLifted() throws Exception {
    LiveRules trial = rule("limit: 1/s, shadow: true, rollout: 25%");
    LiveRules real = rule("limit: 1/s, rollout: 25%");
    List<Integer> watched = new ArrayList<>();
    List<Integer> enforced = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      if (!trial.match(by(i), 0).shadows().isEmpty()) {
        watched.add(i);
      }
      if (!real.match(by(i), 0).claims().isEmpty()) {
        enforced.add(i);
      }
    }
    assertThat(watched).isNotEmpty().isEqualTo(enforced);
  }

  @Test
  void whoIsBlockedInShadowIsToldOnlyOfThoseInTheShare() throws Exception {
    LiveRules rules = rule("limit: blocked, shadow: true, rollout: 50%");
    int told = 0;
    for (int i = 0; i < 1_000; i++) {
      Match match = rules.match(by(i), 0);
      assertThat(match.blockedBy()).isEmpty();
      told += match.shadowBlocks().size();
    }
    assertThat(told).isBetween(400, 600);
  }

  @Test
  void aShareOfEverythingIsShadowAndOfNothingIsNoRule() throws Exception {
    assertThat(rule("limit: 1/s, shadow: true, rollout: 100%").match(by(1), 0).shadows())
        .hasSize(1);
    assertThat(rule("limit: 1/s, shadow: true, rollout: 0%").match(by(1), 0).shadows()).isEmpty();
    assertThat(rule("limit: 1/s, shadow: false, rollout: 100%").match(by(1), 0).claims())
        .hasSize(1);
  }

  @Test
  void anExplanationSaysThatTheCallerIsNotInTheShare() throws Exception {
    LiveRules rules = rule("limit: 1/s, shadow: true, rollout: 10%");
    for (int i = 0; i < 100; i++) {
      var explained = rules.book().explain(rules.reader().read(by(i)), 0).get(0);
      assertThat(explained.outside()).isEqualTo(explained.match().shadows().isEmpty());
      assertThat(explained.applies()).isEqualTo(!explained.outside());
    }
  }
}
