package dev.weir.simulation;

import dev.weir.guard.GuardSettings;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/**
 * What a seed decides before anything happens.
 *
 * @param nodes how many servers begin
 * @param trafficNanos how long clients ask
 * @param linkTimeoutNanos after so long the client of the store gives up by itself
 * @param calm whether nothing goes wrong
 */
record Plan(
    int nodes,
    long trafficNanos,
    GuardSettings guard,
    long linkTimeoutNanos,
    List<Group> groups,
    boolean calm) {

  static Plan draw(SplittableRandom random) {
    Duration deadline = Duration.ofMillis(10 + random.nextInt(30));
    GuardSettings guard =
        new GuardSettings(
            deadline,
            1 + random.nextInt(4),
            50,
            20 + random.nextInt(80),
            Duration.ofSeconds(1 + random.nextInt(30)));
    return new Plan(
        1 + random.nextInt(5),
        World.millis(8_000 + random.nextInt(9_000)),
        guard,
        deadline.toNanos() * (1 + random.nextInt(3)),
        new Groups(random).draw(),
        random.nextInt(5) == 0);
  }
}
