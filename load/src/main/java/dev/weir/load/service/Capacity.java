package dev.weir.load.service;

import java.util.concurrent.TimeUnit;

/**
 * How much a service can do: its workers, each of which handles one request at a time.
 *
 * @param perSecond requests per second with all workers busy and nobody waiting
 * @param workers the number of workers
 */
public record Capacity(int perSecond, int workers) {
  /** The least requests per second. */
  public static final int MIN = 100;

  /** The most requests per second. */
  public static final int MAX = 100_000;

  private static final int MIN_WORKERS = 8;
  private static final int SERVICE_MILLIS = 40;

  /**
   * A service with this capacity, and as many workers as it takes at 40 ms for a request.
   *
   * @throws IllegalArgumentException if it is not between {@link #MIN} and {@link #MAX}
   */
  public static Capacity of(int perSecond) {
    if (perSecond < MIN || perSecond > MAX) {
      String expected = "between " + MIN + " and " + MAX;
      throw new IllegalArgumentException(
          "capacity: " + perSecond + " (expected: " + expected + ")");
    }
    return new Capacity(perSecond, Math.max(MIN_WORKERS, perSecond * SERVICE_MILLIS / 1_000));
  }

  /** The mean time for a request. */
  public long serviceNanos() {
    return TimeUnit.SECONDS.toNanos(workers) / perSecond;
  }
}
