package dev.weir.memory;

import java.util.concurrent.locks.LockSupport;

/** Waiting for what takes nanoseconds, unless whoever does it has lost its core. */
final class Spin {
  private Spin() {}

  /** Spins, after many attempts yields, and after as many again sleeps briefly. */
  @SuppressWarnings("ThreadPriorityCheck") // a hint; correctness does not hang on it
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
