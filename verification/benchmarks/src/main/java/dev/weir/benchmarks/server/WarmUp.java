package dev.weir.benchmarks.server;

import dev.weir.benchmarks.harness.Workers;
import java.io.IOException;

/**
 * Loads a contestant until it gets no faster, by the same rule for all.
 *
 * <p>A fixed time would not be the same for all: a JVM with much code is still getting faster when
 * one with little has long been at its best. The CPU time of a request says so even if other
 * processes take time from the core. On one core the load would leave the compiler hardly any time,
 * and what it has not compiled yet would look like the best; so a contestant has all cores
 * meanwhile, and pauses between two turns.
 */
public final class WarmUp {
  private static final int MILLIS = 2_000;
  private static final int PAUSE_MILLIS = 500;
  private static final int MAX_TURNS = 40;

  /** So many turns in a row must be no faster than the best before them. */
  private static final int STEADY_TURNS = 4;

  /** A smaller change than this is not counted as one. */
  private static final double TOLERANCE = 0.03;

  private WarmUp() {}

  /** Returns whether it is at its best; false if it was still getting faster at the end. */
  public static boolean run(Server server, Workers workers)
      throws IOException, InterruptedException {
    return run(server, workers, 0);
  }

  /**
   * Returns the same for a contestant of which a share of requests may fail, as for {@link
   * Round#closedLoop(Server, Workers, int, double)}.
   */
  public static boolean run(Server server, Workers workers, double tolerated)
      throws IOException, InterruptedException {
    server.moveToAllCores();
    try {
      return load(server, workers, tolerated);
    } finally {
      server.moveToContestantsCore();
    }
  }

  private static boolean load(Server server, Workers workers, double tolerated)
      throws IOException, InterruptedException {
    double best = Double.MAX_VALUE;
    int steady = 0;
    for (int turn = 0; turn < MAX_TURNS && steady < STEADY_TURNS; turn++) {
      double cpu = Round.closedLoop(server, workers, MILLIS, tolerated).cpuMicros();
      steady = cpu < best * (1 - TOLERANCE) ? 0 : steady + 1;
      best = Math.min(best, cpu);
      Thread.sleep(PAUSE_MILLIS);
    }
    return steady == STEADY_TURNS;
  }
}
