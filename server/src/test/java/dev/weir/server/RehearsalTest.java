package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.guard.SystemTimers;
import dev.weir.guard.Timers;
import dev.weir.rule.Limiter.Outcome;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** Before a server needs it, all that is done in an outage has been done. */
class RehearsalTest {
  @Test
  void everyWayToDoWithoutTheStoreIsGone() {
    Map<Outcome, Integer> told = new ConcurrentHashMap<>();
    try (SystemTimers timers = Timers.system()) {
      Rehearsal.of(timers, (rule, outcome) -> told.merge(outcome, 1, Integer::sum));
    }
    // Ten that the store did not answer in time, and ten for which it was not asked.
    assertThat(told)
        .containsOnly(
            Map.entry(Outcome.UNCOUNTED, 20),
            Map.entry(Outcome.UNANSWERED, 20),
            Map.entry(Outcome.ALLOWED, 20));
  }
}
