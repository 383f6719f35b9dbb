package dev.weir.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.simulation.fleet.InjectionPoints;
import dev.weir.simulation.world.EventLog;
import dev.weir.simulation.world.EventType;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The invariants hold for every seed. */
class SimulationTest {
  private static final int SEEDS = 1_000;

  /** Each event happens at least this often, and most of them far more often. */
  private static final long MIN_COUNT = 50;

  private static final long FIRST = Long.getLong("weir.simulation.seed", 1);

  @Test
  void aThousandSeedsBreakNoInvariant() {
    System.out.println("seeds from " + FIRST + "; others with -Dweir.simulation.seed=N");
    List<String> broken = new ArrayList<>();
    Map<EventType, Long> eventCounts = new EnumMap<>(EventType.class);
    for (long seed = FIRST; seed < FIRST + SEEDS && broken.size() < 3; seed++) {
      var outcome = Simulation.run(seed, InjectionPoints.NONE, EventLog.disabled());
      outcome.eventCounts().forEach((event, count) -> eventCounts.merge(event, count, Long::sum));
      if (!outcome.isSound()) {
        broken.add(Report.describeViolations(outcome, InjectionPoints.NONE));
      }
    }
    System.out.println(EventType.describe(eventCounts));
    assertThat(broken).isEmpty();
    assertThat(eventCounts).containsOnlyKeys(EventType.values());
    assertThat(eventCounts)
        .allSatisfy(
            (event, count) ->
                assertThat(count).as(event.toString()).isGreaterThanOrEqualTo(MIN_COUNT));
  }

  @Test
  void sameSeedGivesTheSameRun() {
    for (long seed = FIRST; seed < FIRST + 20; seed++) {
      var first = Simulation.run(seed, InjectionPoints.NONE, EventLog.disabled());
      var second = Simulation.run(seed, InjectionPoints.NONE, EventLog.recording());
      assertThat(second).isEqualTo(first);
    }
  }

  @Test
  void anotherSeedGivesAnotherRun() {
    var one = Simulation.run(FIRST, InjectionPoints.NONE, EventLog.disabled());
    var other = Simulation.run(FIRST + 1, InjectionPoints.NONE, EventLog.disabled());
    assertThat(other.digest()).isNotEqualTo(one.digest());
  }
}
