package dev.weir.library.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Descriptor;
import dev.weir.Limit;
import dev.weir.key.KeySpace;
import dev.weir.limiter.Limiter;
import dev.weir.limiter.Limiter.Outcome;
import dev.weir.memory.MemoryStore;
import dev.weir.rule.Rule;
import dev.weir.rule.book.Match;
import dev.weir.rule.book.RuleBook;
import dev.weir.testkit.time.ManualScheduler;
import dev.weir.testkit.time.ManualTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A rule on trial counts what is in flight, like the rule that it may become. */
class ShadowPermitsTest {
  private final ManualTicker ticker = ManualTicker.at(Duration.ofDays(20_000));
  private final List<Outcome> outcomes = new ArrayList<>();
  private final Limiter limiter =
      new Limiter(new MemoryStore(100, ticker), (rule, outcome, subject) -> outcomes.add(outcome));
  private final HeldPermits permits = new HeldPermits(limiter, new ManualScheduler(ticker));
  private final RuleBook trial =
      RuleBook.of(
          List.of(
              Rule.named("trial")
                  .limit(Limit.concurrent(1, Duration.ofHours(1)))
                  .enforced(0)
                  .build()),
          KeySpace.random());

  private Admission admit() {
    Match match = trial.match(Descriptor.of(trial.names()), HeldPermits.newHolder());
    return Admission.of(match, limiter.take(match).join(), permits);
  }

  @Test
  void areFreeAfterTheRequest() {
    for (int i = 0; i < 3; i++) {
      Admission one = admit();
      assertThat(one.holdsPermits()).isTrue();
      admit().close(); // would be denied, and frees nothing of the first one
      admit().close();
      one.close();
    }
    assertThat(outcomes).hasSize(9);
    for (int i = 0; i < 9; i += 3) {
      assertThat(outcomes.subList(i, i + 3))
          .containsExactly(Outcome.ALLOWED, Outcome.SHADOW_DENIED, Outcome.SHADOW_DENIED);
    }
    assertThat(permits.size()).as("renewed").isZero();
  }
}
