package dev.weir.guard;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Iterator;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Tells whoever waits too long.
 *
 * <p>All wait equally long, so they come due in about the order in which they came: a queue, and
 * one timer for the first of it. When that has run, what was answered meanwhile is dropped, too,
 * and the timer set for the first that still waits: so it runs about once in the time of a
 * deadline, and not for each request. Where that is long it runs more often: what is answered is
 * not kept.
 */
final class Deadlines {

  /** Somebody who waits. */
  interface Waiting {
    long deadlineNanos();

    /** Whether nobody waits any more. */
    boolean isDone();

    /** Called once the deadline has passed, if it is not done before. */
    void late();
  }

  private static final Logger LOG = System.getLogger(Deadlines.class.getName());
  private static final long LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** For the sake of so little no other timer is set. */
  private static final long CLOSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final Timers timers;
  private final Queue<Waiting> queue = new ConcurrentLinkedQueue<>();
  private volatile boolean timed;
  private volatile long dueNanos;

  Deadlines(Timers timers) {
    this.timers = timers;
  }

  void watch(Waiting one) {
    queue.add(one);
    look(one.deadlineNanos());
  }

  private void look(long atNanos) {
    if (!isTimed(atNanos)) {
      setTimer(atNanos);
    }
  }

  /** Whether a timer runs by then, or shortly after. */
  private boolean isTimed(long atNanos) {
    return timed && dueNanos - atNanos <= CLOSE_NANOS;
  }

  private synchronized void setTimer(long atNanos) {
    if (!isTimed(atNanos)) {
      long wait = Math.max(0, Math.min(LONGEST_NANOS, atNanos - timers.nanos()));
      long due = timers.nanos() + wait;
      dueNanos = due;
      timed = true;
      timers.after(wait, () -> expire(due));
    }
  }

  /** Whether that is the timer that was set last; one that was set before it does nothing. */
  private synchronized boolean isRun(long due) {
    boolean last = timed && dueNanos == due;
    timed = timed && !last;
    return last;
  }

  private void expire(long due) {
    if (!isRun(due)) {
      return;
    }
    // Whoever comes from now on sets a timer.
    long now = timers.nanos();
    dropFirst(now);
    @Nullable Waiting next = null;
    for (Iterator<Waiting> each = queue.iterator(); each.hasNext(); ) {
      Waiting one = each.next();
      boolean late = one.deadlineNanos() - now <= 0;
      if (late || one.isDone()) {
        each.remove();
        tell(one);
      } else if (next == null || one.deadlineNanos() - next.deadlineNanos() < 0) {
        next = one;
      }
    }
    if (next != null) {
      look(next.deadlineNanos());
    }
  }

  /**
   * Takes those out that came first, which are nearly all that are to go. From its head a queue is
   * emptied much more cheaply than by an iterator. Timers run one after the other, so nobody else
   * takes anything out.
   */
  private void dropFirst(long now) {
    Waiting first = queue.peek();
    while (first != null && (first.isDone() || first.deadlineNanos() - now <= 0)) {
      queue.remove();
      tell(first);
      first = queue.peek();
    }
  }

  /** Whatever becomes of one, the others are told, too. */
  private static void tell(Waiting one) {
    try {
      if (!one.isDone()) {
        one.late();
      }
    } catch (RuntimeException e) {
      LOG.log(Level.ERROR, "Somebody who waited too long could not be told", e);
    }
  }
}
