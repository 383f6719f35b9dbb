package dev.weir.simulation.fleet;

import dev.weir.simulation.world.World;
import java.util.ArrayList;
import java.util.List;

/**
 * Pauses of a server process, as by a signal, a move to another machine, or garbage collection.
 * When the process resumes, it does all work that was due, in the order in which it was due.
 */
final class ProcessPause {
  private final World world;
  private final List<Runnable> deferred = new ArrayList<>();
  private boolean paused;
  private long sinceNanos;
  private long earlierNanos;

  ProcessPause(World world) {
    this.world = world;
  }

  boolean isPaused() {
    return paused;
  }

  /** How long the process has been paused in total. */
  long nanos() {
    return earlierNanos + (paused ? world.nanos() - sinceNanos : 0);
  }

  /** Does the work now, or when the process resumes. */
  void run(Runnable work) {
    if (paused) {
      deferred.add(work);
    } else {
      work.run();
    }
  }

  void begin() {
    if (!paused) {
      paused = true;
      sinceNanos = world.nanos();
    }
  }

  void end() {
    earlierNanos = nanos();
    paused = false;
    List<Runnable> all = List.copyOf(deferred);
    deferred.clear();
    all.forEach(Runnable::run);
  }
}
