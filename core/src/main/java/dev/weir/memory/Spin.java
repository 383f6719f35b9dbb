package dev.weir.memory;

import java.util.concurrent.locks.LockSupport;

/** Waits for another thread's step of a few nanoseconds, unless that thread is descheduled. */
final class Spin {
  private Spin() {}

  /** Spins, after many attempts yields, and after as many again sleeps briefly. */
  @SuppressWarnings("ThreadPriorityCheck") // a hint; correctness does not depend on it
  static void pause(int attempt) {
    if (attempt < 64) {
      for (int i = 0; i < 32 << Math.min(attempt, 3); i++) {
        Thread.onSpinWait();
      }
    } else if (attempt < 128) {
      Thread.yield();
    } else {
      LockSupport.parkNanos(20_000);
    }
  }
}
