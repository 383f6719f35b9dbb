package dev.weir.async;

import java.util.concurrent.Executor;

/** Schedules delayed tasks. An implementation is safe for use by any number of threads. */
public interface Scheduler {

  /** Nanoseconds since an arbitrary origin; monotonic, and unrelated to the wall clock. */
  long nanos();

  /** Runs {@code task} once, after a delay. A task is short and throws nothing. */
  void schedule(long delayNanos, Runnable task);

  /**
   * The executor for continuations of callers whose wait a timer ended. It is not the timers' own
   * thread, if they have one: a continuation would delay all other timers.
   */
  default Executor continuations() {
    return Continuations.DIRECT;
  }

  /**
   * A scheduler on the clock of this machine with a thread of its own; continuations run in {@link
   * Continuations#shared()}.
   */
  static SystemScheduler system() {
    return system(Continuations.shared());
  }

  /** A scheduler on the clock of this machine; continuations run in the given executor. */
  static SystemScheduler system(Executor continuations) {
    return new SystemScheduler(continuations);
  }
}
