package dev.weir.guard;

/** Time that passes, and work to be done when some of it has. */
public interface Timers {

  /** Nanoseconds since some moment. Never runs backwards, and knows nothing of the wall clock. */
  long nanos();

  /** Runs {@code work} once, after so long. Work is short and throws nothing. */
  void after(long nanos, Runnable work);

  /** By the clock of this machine, on a thread that does nothing else. */
  static SystemTimers system() {
    return new SystemTimers();
  }
}
