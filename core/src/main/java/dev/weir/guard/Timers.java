package dev.weir.guard;

import dev.weir.operation.Continuations;
import java.util.concurrent.Executor;

/** Time that passes, and work to be done when some of it has. */
public interface Timers {

  /** Nanoseconds since some moment. Never runs backwards, and knows nothing of the wall clock. */
  long nanos();

  /** Runs {@code work} once, after so long. Work is short and throws nothing. */
  void after(long nanos, Runnable work);

  /**
   * Where callers go on who waited until a timer ended their wait. Where timers have a thread of
   * their own, not there: it would keep all other timers waiting.
   */
  default Executor continuations() {
    return Continuations.DIRECT;
  }

  /**
   * By the clock of this machine, on a thread that does nothing else. Callers go on in {@link
   * Continuations#shared()}.
   */
  static SystemTimers system() {
    return system(Continuations.shared());
  }

  /** The same, where callers go on in that executor. */
  static SystemTimers system(Executor continuations) {
    return new SystemTimers(continuations);
  }
}
