package dev.weir.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.async.Scheduler;
import dev.weir.async.SystemScheduler;
import dev.weir.limiter.Limiter.Outcome;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** All code for outages has run before a server needs it. */
class OutageWarmupTest {
  @Test
  void everyFailureModeIsExercised() {
    Map<Outcome, Integer> outcomes = new ConcurrentHashMap<>();
    try (SystemScheduler scheduler = Scheduler.system()) {
      OutageWarmup.run(
          scheduler, (rule, outcome, subject) -> outcomes.merge(outcome, 1, Integer::sum));
    }
    // Ten requests that timed out, and ten that the open circuit breaker rejected.
    assertThat(outcomes)
        .containsOnly(
            Map.entry(Outcome.UNCOUNTED, 20),
            Map.entry(Outcome.UNANSWERED, 20),
            Map.entry(Outcome.ALLOWED, 20));
  }
}
