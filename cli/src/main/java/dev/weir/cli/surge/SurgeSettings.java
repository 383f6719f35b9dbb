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
 * @param maxInFlight how many requests the clients may have in flight
 */
record SurgeSettings(
    Capacity capacity,
    int factor,
    Duration ordinary,
    Duration surge,
    Duration patience,
    int maxInFlight) {
  /** Twelve thousand requests per second to a service for eight hundred. */
  static final int FACTOR = 15;

  static final int MAX_CAPACITY = 800;
  static final Duration ORDINARY = Duration.ofSeconds(5);
  static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final int MAX_IN_FLIGHT = 16_000;

  /** The settings for a service; clients have at most four of five file descriptors. */
  static SurgeSettings of(Capacity capacity, Duration surge, long fileDescriptors) {
    int inFlight = (int) Math.min(MAX_IN_FLIGHT, fileDescriptors / 5 * 4);
    return new SurgeSettings(capacity, FACTOR, ORDINARY, surge, PATIENCE, inFlight);
  }

  /** Requests per second in the surge. */
  int offeredPerSecond() {
    return capacity.perSecond() * factor;
  }
}
