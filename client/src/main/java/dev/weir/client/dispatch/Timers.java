package dev.weir.client.dispatch;

/** A monotonic clock with timers. An implementation is safe for use by any number of threads. */
public interface Timers {

  /** Nanoseconds since an arbitrary origin. */
  long nanos();

  /**
   * Runs a task once, after a delay, on a thread that it may block.
   *
   * @return what cancels the task
   */
  Runnable schedule(long delayNanos, Runnable task);

  /** Runs a task soon, on another thread than this one, which it may block. */
  default void execute(Runnable task) {
    Runnable unused = schedule(0, task);
  }

  /** The clock of this machine, with one daemon thread for the timers of all clients. */
  static Timers system() {
    return SystemTimers.INSTANCE;
  }
}
