package dev.weir.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** What is meant to find bugs finds them. */
class PlantedBugTest {
  private static final int SEEDS = 1_000;

  @ParameterizedTest
  @FieldSource("dev.weir.simulation.PlantedBug#ALL")
  void isFoundWithinAThousandSeeds(PlantedBug bug) {
    Seams seams = bug.seams();
    for (long seed = 1; seed <= SEEDS; seed++) {
      var outcome = Simulation.run(seed, seams, Story.untold());
      if (outcome.violations().stream().anyMatch(bug::isSeenIn)) {
        System.out.println(bug + " breaks " + bug.broken() + " with seed " + seed);
        return;
      }
    }
    throw new AssertionError(bug + " does not break " + bug.broken() + " in " + SEEDS + " seeds");
  }

  @Test
  void thereIsOneForEachPromise() {
    var broken = EnumSet.noneOf(Invariant.class);
    PlantedBug.ALL.stream().map(PlantedBug::broken).forEach(broken::add);
    assertThat(broken).containsExactly(Invariant.values());
  }
}
