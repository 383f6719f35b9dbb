package dev.weir.guard;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Tells whoever waits too long.
 *
 * <p>All wait equally long, so they come due in the order in which they came: a queue, and one
 * timer for the first of it. When that has run, what was answered meanwhile is dropped, too, and
 * the timer set for the first that still waits: so it runs about once in the time of a deadline,
 * and not for each request.
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
      timers.after(atNanos - timers.nanos(), this::expire);
    }
  }

  private void expire() {
    long now = timers.nanos();
    try {
      for (Waiting first = queue.peek();
          first != null && (first.isDone() || first.deadlineNanos() - now <= 0);
          first = queue.peek()) {
        queue.poll();
        if (!first.isDone()) {
          first.late();
        }
      }
    } finally {
      timed.set(false);
      Waiting next = queue.peek();
      if (next != null) {
        look(next.deadlineNanos());
      }
    }
  }
}
