package dev.weir.cli.surge;

import dev.weir.load.service.Capacity;
import java.time.Duration;

/**
 * What a surge is.
 *
 * @param capacity what the service can do
 * @param factor how many times its capacity is offered
 * @param ordinary how long half of its capacity is offered before
 * @param surge how long the surge lasts
 * @param patience how long a client waits for an answer
 * @param maxConnections how many connections the clients may have
 */
record SurgeSettings(
    Capacity capacity,
    int factor,
    Duration ordinary,
    Duration surge,
    Duration patience,
    int maxConnections) {
  /** Twelve thousand requests per second to a service for eight hundred. */
  static final int FACTOR = 15;

  static final int MAX_CAPACITY = 800;
  static final Duration ORDINARY = Duration.ofSeconds(10);
  static final Duration PATIENCE = Duration.ofSeconds(10);

  /** Three for each rider, as an app has that sends several requests at once. */
  private static final int MAX_CONNECTIONS = 6_000;

  /** The settings for a service; clients have at most four of five file descriptors. */
  static SurgeSettings of(Capacity capacity, Duration surge, long fileDescriptors) {
    int connections = (int) Math.min(MAX_CONNECTIONS, fileDescriptors / 5 * 4);
    return new SurgeSettings(capacity, FACTOR, ORDINARY, surge, PATIENCE, connections);
  }

  /** How many requests may be in flight or wait for a connection: all that clients wait for. */
  int maxInFlight() {
    return Math.toIntExact(2L * offeredPerSecond() * patience.toSeconds());
  }

  /** Requests per second in the surge. */
  int offeredPerSecond() {
    return capacity.perSecond() * factor;
  }
}
