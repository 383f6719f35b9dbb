package dev.weir.benchmarks.server;

import dev.weir.testkit.Programs;
import java.io.IOException;
import java.util.List;

/**
 * Gives the contestant a core of its own, and the other cores to all that it does not consist of.
 *
 * <p>So the contestant is what limits the throughput, as long as the load, the upstream and Redis
 * need less time for a request than it does.
 */
public final class Cores {
  private static final int COUNT = Runtime.getRuntime().availableProcessors();
  private static final boolean PINNED = COUNT > 1 && Programs.find("taskset").isPresent();
  private static final String CONTESTANT = "0";
  private static final String ALL = "0-" + (COUNT - 1);
  private static final String OTHERS = COUNT == 2 ? "1" : "1-" + (COUNT - 1);

  private Cores() {}

  /** What a command begins with that starts a contestant. */
  public static List<String> forContestant() {
    return launcher(CONTESTANT);
  }

  /** What a command begins with that starts something else. */
  public static List<String> forOthers() {
    return launcher(OTHERS);
  }

  private static List<String> launcher(String cores) {
    return PINNED ? List.of("taskset", "-c", cores) : List.of();
  }

  /** Moves a process that is no contestant and runs already. */
  public static void moveToOthers(long pid) throws IOException, InterruptedException {
    move(pid, OTHERS);
  }

  /** Lets a contestant use all cores. */
  static void moveToAll(long pid) throws IOException, InterruptedException {
    move(pid, ALL);
  }

  /** Gives a contestant its own core again. */
  static void moveToContestants(long pid) throws IOException, InterruptedException {
    move(pid, CONTESTANT);
  }

  private static void move(long pid, String cores) throws IOException, InterruptedException {
    if (!PINNED) {
      return;
    }
    Process taskset =
        new ProcessBuilder("taskset", "-a", "-c", "-p", cores, Long.toString(pid))
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    if (taskset.waitFor() != 0) {
      throw new IllegalStateException("taskset: exit code " + taskset.exitValue());
    }
  }

  /** How cores are assigned, in a sentence. */
  public static String describe() {
    return PINNED
        ? "The contestant has core %s alone; load, upstream and Redis have core %s."
            .formatted(CONTESTANT, OTHERS)
        : "All processes share the cores (no taskset, or one core only).";
  }
}
