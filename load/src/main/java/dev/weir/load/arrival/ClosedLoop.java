package dev.weir.load.arrival;

import java.util.PriorityQueue;

/**
 * Users who wait for the answer to a request, think, and send the next one.
 *
 * <p>Users slow down together with what they use, so that a closed loop cannot overload a service
 * for long, and its latencies say what users saw rather than what a schedule would have met.
 *
 * <p>Used by one thread.
 */
public final class ClosedLoop implements Pace {
  private final PriorityQueue<Long> dueNanos = new PriorityQueue<>();
  private final long thinkNanos;
  private final long endNanos;

  /**
   * Users who begin one after the other within the first think time.
   *
   * @throws IllegalArgumentException if there is no user
   */
  public ClosedLoop(int users, long thinkNanos, long endNanos) {
    if (users < 1) {
      throw new IllegalArgumentException("users: " + users + " (expected: at least 1)");
    }
    this.thinkNanos = thinkNanos;
    this.endNanos = endNanos;
    for (int user = 0; user < users; user++) {
      dueNanos.add(thinkNanos / users * user);
    }
  }

  @Override
  public long nextDueNanos() {
    Long next = dueNanos.peek();
    return next == null || next >= endNanos ? NEVER : next;
  }

  @Override
  public long take() {
    return dueNanos.remove();
  }

  @Override
  public void onComplete(long nowNanos) {
    dueNanos.add(nowNanos + thinkNanos);
  }
}
