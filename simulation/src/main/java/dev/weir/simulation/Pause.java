package dev.weir.simulation;

import java.util.ArrayList;
import java.util.List;

/**
 * The times in which a server does nothing, as if stopped by a signal, moved to another machine, or
 * busy with its memory. Whatever was due in it is done when it goes on, in the order in which it
 * was due.
 */
final class Pause {
  private final World world;
  private final List<Runnable> due = new ArrayList<>();
  private boolean paused;
  private long sinceNanos;
  private long beforeNanos;

  Pause(World world) {
    this.world = world;
  }

  boolean isPaused() {
    return paused;
  }

  /** For how long it was paused, all together. */
  long nanos() {
    return beforeNanos + (paused ? world.nanos() - sinceNanos : 0);
  }

  /** Now, or when it goes on. */
  void run(Runnable work) {
    if (paused) {
      due.add(work);
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
    beforeNanos = nanos();
    paused = false;
    List<Runnable> all = List.copyOf(due);
    due.clear();
    all.forEach(Runnable::run);
  }
}
