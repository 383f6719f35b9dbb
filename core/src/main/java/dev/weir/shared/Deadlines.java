package dev.weir.shared;

import dev.weir.async.Scheduler;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Iterator;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Times out pending calls with one shared timer instead of one timer for each call.
 *
 * <p><b>How.</b> All calls have the same timeout, so they are due in about the order of arrival: a
 * queue, and one timer for its head. When the timer fires, it also removes calls that are done, and
 * is set again for the first that is still pending. So it fires about once a timeout; where the
 * timeout is long it fires more often, so that done calls are not retained.
 *
 * <p>Safe for use by any number of threads.
 */
final class Deadlines {

  /** A call with a deadline. */
  interface Pending {
    long deadlineNanos();

    /** Whether the call is complete, so that its deadline no longer matters. */
    boolean isDone();

    /** Called once, after the deadline, if the call is not done by then. */
    void onDeadline();
  }

  private static final Logger LOG = System.getLogger(Deadlines.class.getName());
  private static final long MAX_DELAY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** A timer that fires at most this late is good enough, so no other one is set. */
  private static final long TOLERANCE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final Scheduler scheduler;
  private final Queue<Pending> queue = new ConcurrentLinkedQueue<>();
  private volatile boolean timerSet;
  private volatile long timerNanos;

  Deadlines(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  void add(Pending call) {
    queue.add(call);
    ensureTimer(call.deadlineNanos());
  }

  private void ensureTimer(long atNanos) {
    if (!isTimerSetFor(atNanos)) {
      setTimer(atNanos);
    }
  }

  private boolean isTimerSetFor(long atNanos) {
    return timerSet && timerNanos - atNanos <= TOLERANCE_NANOS;
  }

  private synchronized void setTimer(long atNanos) {
    if (!isTimerSetFor(atNanos)) {
      long delay = Math.max(0, Math.min(MAX_DELAY_NANOS, atNanos - scheduler.nanos()));
      long due = scheduler.nanos() + delay;
      timerNanos = due;
      timerSet = true;
      scheduler.schedule(delay, () -> onTimer(due));
    }
  }

  /** Clears the timer if it is the one that was set last; an earlier one does nothing. */
  private synchronized boolean clearTimer(long due) {
    boolean last = timerSet && timerNanos == due;
    timerSet = timerSet && !last;
    return last;
  }

  private void onTimer(long due) {
    if (!clearTimer(due)) {
      return;
    }
    // From here on, a call that is added sets a timer itself.
    long now = scheduler.nanos();
    expireHead(now);
    @Nullable Pending next = null;
    for (Iterator<Pending> calls = queue.iterator(); calls.hasNext(); ) {
      Pending call = calls.next();
      boolean late = call.deadlineNanos() - now <= 0;
      if (late || call.isDone()) {
        calls.remove();
        expire(call);
      } else if (next == null || call.deadlineNanos() - next.deadlineNanos() < 0) {
        next = call;
      }
    }
    if (next != null) {
      ensureTimer(next.deadlineNanos());
    }
  }

  /**
   * Removes calls from the head, which are nearly all that are due: that is much cheaper than
   * removal by an iterator. Timers fire one after the other, so no other thread removes anything.
   */
  private void expireHead(long now) {
    Pending first = queue.peek();
    while (first != null && (first.isDone() || first.deadlineNanos() - now <= 0)) {
      queue.remove();
      expire(first);
      first = queue.peek();
    }
  }

  /** Expires one call; an exception must not keep the others from expiring. */
  private static void expire(Pending call) {
    try {
      if (!call.isDone()) {
        call.onDeadline();
      }
    } catch (RuntimeException e) {
      LOG.log(Level.ERROR, "Failed to time out a pending store request", e);
    }
  }
}
