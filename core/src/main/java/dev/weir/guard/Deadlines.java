package dev.weir.guard;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Tells whoever waits too long.
 *
 * <p>All wait equally long, so they come due in the order in which they came: a queue, and one
 * timer for the first of it. What is answered by then stays in the queue until its time has come,
 * which is soon.
 */
final class Deadlines {

  /** Somebody who waits. */
  interface Waiting {
    long deadlineNanos();

    /** Called once the deadline has passed, whether or not it is answered. */
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
          first != null && first.deadlineNanos() - now <= 0;
          first = queue.peek()) {
        queue.poll();
        first.late();
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
