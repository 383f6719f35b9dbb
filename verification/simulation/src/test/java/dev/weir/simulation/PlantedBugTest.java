package dev.weir.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.simulation.audit.Invariant;
import dev.weir.simulation.bugs.PlantedBug;
import dev.weir.simulation.world.EventLog;
import java.util.EnumSet;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** The checks of the simulation detect planted bugs. */
class PlantedBugTest {
  private static final int SEEDS = 5_000;

  /**
   * Seeds that show bugs which one history in hundreds shows; they are tried first, to save time. A
   * change of the simulation makes other histories of them: then the search takes longer, and
   * prints the seed to put here.
   */
  private static final Map<String, Long> FIRST_SEEDS =
      Map.of(
          "drops pending charges when its clock is set back", 2_258L,
          "ages pending charges by a monotonic clock", 112L);

  @ParameterizedTest
  @FieldSource("dev.weir.simulation.bugs.PlantedBug#ALL")
  void bugIsDetected(PlantedBug bug) {
    long first = FIRST_SEEDS.getOrDefault(bug.toString(), 1L);
    for (long seed = first; seed < first + SEEDS; seed++) {
      var outcome = Simulation.run(seed, bug.points(), EventLog.disabled());
      if (outcome.violations().stream().anyMatch(bug::isDetectedIn)) {
        System.out.println(bug + " breaks " + bug.invariant() + " with seed " + seed);
        return;
      }
    }
    throw new AssertionError(
        "%s does not break %s in %d seeds from %d on"
            .formatted(bug, bug.invariant(), SEEDS, first));
  }

  @Test
  void everyInvariantHasAPlantedBug() {
    var invariants = EnumSet.noneOf(Invariant.class);
    PlantedBug.ALL.stream().map(PlantedBug::invariant).forEach(invariants::add);
    assertThat(invariants).containsExactly(Invariant.values());
  }
}
