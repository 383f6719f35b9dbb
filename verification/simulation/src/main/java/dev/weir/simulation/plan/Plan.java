package dev.weir.simulation.plan;

import dev.weir.shared.GuardSettings;
import dev.weir.simulation.world.World;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/**
 * What a seed decides before a run starts.
 *
 * @param servers the number of servers at the start
 * @param trafficNanos how long clients send requests
 * @param guard the deadline and the circuit breaker of the servers
 * @param linkTimeoutNanos the timeout of the store's client itself
 * @param groups the clients and their rules
 * @param calm whether no fault is injected
 */
public record Plan(
    int servers,
    long trafficNanos,
    GuardSettings guard,
    long linkTimeoutNanos,
    List<ClientGroup> groups,
    boolean calm) {

  /** Draws a plan from the random numbers of the seed. */
  public static Plan draw(SplittableRandom random) {
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
        new ClientGroupGenerator(random).draw(),
        random.nextInt(5) == 0);
  }
}
