package dev.weir.benchmarks.server;

import dev.weir.benchmarks.harness.Workers;
import java.io.IOException;

/**
 * Loads a contestant until it gets no faster, by the same rule for all.
 *
 * <p>A fixed time would not be the same for all: on one core, which its compiler shares, a JVM with
 * much code is still getting faster when one with little has long been at its best. The CPU time of
 * a request says so even if other processes take time from the core.
 */
public final class WarmUp {
  private static final int MILLIS = 2_000;
  private static final int MAX_TURNS = 30;

  /** So many turns in a row must be no faster than the best before them. */
  private static final int STEADY_TURNS = 3;

  /** A smaller change than this is not counted as one. */
  private static final double TOLERANCE = 0.03;

  private WarmUp() {}

  /** Returns whether it is at its best; false if it was still getting faster at the end. */
  public static boolean run(Server server, Workers workers) throws IOException {
    double best = Double.MAX_VALUE;
    int steady = 0;
    for (int turn = 0; turn < MAX_TURNS && steady < STEADY_TURNS; turn++) {
      double cpu = Round.closedLoop(server, workers, MILLIS).cpuMicros();
      steady = cpu < best * (1 - TOLERANCE) ? 0 : steady + 1;
      best = Math.min(best, cpu);
    }
    return steady == STEADY_TURNS;
  }
}
