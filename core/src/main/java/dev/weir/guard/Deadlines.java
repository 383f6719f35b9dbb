package dev.weir.guard;

import java.util.Iterator;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
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

  private static final long LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final Timers timers;
  private final Queue<Waiting> queue = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean timed = new AtomicBoolean();

  Deadlines(Timers timers) {
    this.timers = timers;
  }

  void watch(Waiting one) {
    queue.add(one);
    look(one.deadlineNanos());
  }

  private void look(long atNanos) {
    if (timed.compareAndSet(false, true)) {
      timers.after(Math.min(LONGEST_NANOS, atNanos - timers.nanos()), this::expire);
    }
  }

  private void expire() {
    long now = timers.nanos();
    @Nullable Waiting next = null;
    try {
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
    } finally {
      timed.set(false);
      next = next == null ? queue.peek() : next;
      if (next != null) {
        look(next.deadlineNanos());
      }
    }
  }

  private static void tell(Waiting one) {
    if (!one.isDone()) {
      one.late();
    }
  }
}
