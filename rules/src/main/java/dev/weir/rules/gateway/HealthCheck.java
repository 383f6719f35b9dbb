package dev.weir.rules.gateway;

import java.time.Duration;

/**
 * How the servers of an upstream are probed. Immutable.
 *
 * @param path that is requested, perhaps with a query
 * @param every the time between two probes of a server
 * @param timeout after which a probe has failed; at most {@code every}
 * @param healthyAfter consecutive successes after which an unhealthy server is healthy
 * @param unhealthyAfter consecutive failures after which a healthy server is unhealthy
 */
public record HealthCheck(
    String path, Duration every, Duration timeout, int healthyAfter, int unhealthyAfter) {
  /** The default of {@code every}. */
  public static final Duration EVERY = Duration.ofSeconds(5);

  /** The default of {@code timeout}. */
  public static final Duration TIMEOUT = Duration.ofSeconds(1);

  /** The default of {@code healthyAfter}. */
  public static final int HEALTHY_AFTER = 2;

  /** The default of {@code unhealthyAfter}. */
  public static final int UNHEALTHY_AFTER = 3;
}
