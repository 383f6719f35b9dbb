package dev.weir.benchmarks.server;

import dev.weir.benchmarks.harness.Workers;
import java.io.IOException;
import java.time.Duration;

/**
 * The result of one turn.
 *
 * @param perSecond requests per second
 * @param p50Micros latency
 * @param p99Micros latency
 * @param lateMicros how late requests were sent, at p50; part of the latency
 * @param cpuMicros CPU time of the contestant for a request
 * @param busy the share of a core that the contestant used
 * @param failed the share of requests that were not answered well, or not sent in an open loop
 */
public record Round(
    double perSecond,
    double p50Micros,
    double p99Micros,
    double lateMicros,
    double cpuMicros,
    double busy,
    double failed) {
  private static final int USERS = 64;

  /** Measures with users who wait for an answer before the next request: as fast as it can. */
  public static Round closedLoop(Server server, Workers workers, int millis) throws IOException {
    return closedLoop(server, workers, millis, 0);
  }

  /**
   * Measures like {@link #closedLoop(Server, Workers, int)} a contestant that is known to leave a
   * few requests without an answer.
   *
   * @param tolerated the largest share of requests that may fail
   */
  public static Round closedLoop(Server server, Workers workers, int millis, double tolerated)
      throws IOException {
    Round round = measure(server, workers, USERS + " 0", millis);
    if (round.failed > tolerated) {
      throw new IllegalStateException("requests were denied or failed: " + round);
    }
    return round;
  }

  /** Measures with requests that come at random times, whether or not others are answered. */
  public static Round openLoop(Server server, Workers workers, long perSecond, int millis)
      throws IOException {
    return measure(server, workers, "0 " + perSecond, millis);
  }

  private static Round measure(Server server, Workers workers, String pace, int millis)
      throws IOException {
    Duration cpu = server.cpu();
    long start = System.nanoTime();
    String task = "%d %s %d".formatted(server.port(), pace, millis);
    String[] numbers = workers.run(task, 1).get(0).split(" ", -1);
    double elapsed = System.nanoTime() - start;
    double perSecond = Double.parseDouble(numbers[0]);
    Duration used = server.cpu().minus(cpu);
    double busy = used.toNanos() / elapsed;
    return new Round(
        perSecond,
        Double.parseDouble(numbers[1]),
        Double.parseDouble(numbers[2]),
        Double.parseDouble(numbers[3]),
        used.toNanos() / 1e3 / Long.parseLong(numbers[5]),
        busy,
        Double.parseDouble(numbers[4]));
  }
}
