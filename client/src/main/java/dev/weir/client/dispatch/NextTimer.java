package dev.weir.client.dispatch;

import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The one timer of a pacer, which can be moved. A timer that has fired may still wait for its
 * worker when it is moved: so each has a number, and only the last one counts. Not thread-safe.
 */
final class NextTimer {
  private final Timers timers;
  private final LongConsumer onTimer;
  private @Nullable Runnable cancel;
  private long atNanos;
  private long number;

  /**
   * A timer that is not set.
   *
   * @param onTimer gets the number of the timer that fired, and asks {@link #fired} about it
   */
  NextTimer(Timers timers, LongConsumer onTimer) {
    this.timers = timers;
    this.onTimer = onTimer;
  }

  /** Sets the timer, instead of the one that was set before. */
  void set(long nextNanos, long nowNanos) {
    if (cancel != null && atNanos == nextNanos) {
      return;
    }
    if (cancel != null) {
      cancel.run();
    }
    atNanos = nextNanos;
    long own = ++number;
    cancel = timers.schedule(nextNanos - nowNanos, () -> onTimer.accept(own));
  }

  /** Whether a timer that fired was the last one; it is not set any more then. */
  boolean fired(long which) {
    if (which != number) {
      return false;
    }
    cancel = null;
    return true;
  }
}
