package dev.weir.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.simulation.audit.Invariant;
import dev.weir.simulation.bugs.PlantedBug;
import dev.weir.simulation.fleet.InjectionPoints;
import dev.weir.simulation.world.EventLog;
import java.util.EnumSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** The checks of the simulation detect planted bugs. */
class PlantedBugTest {
  private static final int SEEDS = 1_000;

  @ParameterizedTest
  @FieldSource("dev.weir.simulation.bugs.PlantedBug#ALL")
  void bugIsDetectedWithinAThousandSeeds(PlantedBug bug) {
    InjectionPoints points = bug.points();
    for (long seed = 1; seed <= SEEDS; seed++) {
      var outcome = Simulation.run(seed, points, EventLog.disabled());
      if (outcome.violations().stream().anyMatch(bug::isDetectedIn)) {
        System.out.println(bug + " breaks " + bug.invariant() + " with seed " + seed);
        return;
      }
    }
    throw new AssertionError(
        bug + " does not break " + bug.invariant() + " in " + SEEDS + " seeds");
  }

  @Test
  void everyInvariantHasAPlantedBug() {
    var invariants = EnumSet.noneOf(Invariant.class);
    PlantedBug.ALL.stream().map(PlantedBug::invariant).forEach(invariants::add);
    assertThat(invariants).containsExactly(Invariant.values());
  }
}
