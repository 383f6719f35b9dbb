package dev.weir.load.service;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * A fixed number of workers and a queue, first come, first served.
 *
 * <p>It is that of a server with a pool of threads: a request that waits is worked for in its turn,
 * even if its client left long ago. Workers wait for their time to pass instead of computing, so
 * that the pool needs little of the machine. Confined to one thread; time is an argument.
 */
final class WorkerPool {
  /** A queue this long takes minutes to work off; it bounds memory and nothing else. */
  static final int MAX_WAITING = 200_000;

  private final ServiceTime serviceTime;
  private final Timers timers;
  private final Deque<Runnable> waiting = new ArrayDeque<>();
  private int idleWorkers;

  /** Runs tasks later, on the same thread. */
  interface Timers {
    void at(long nanos, Runnable task);
  }

  WorkerPool(Capacity capacity, ServiceTime serviceTime, Timers timers) {
    this.idleWorkers = capacity.workers();
    this.serviceTime = serviceTime;
    this.timers = timers;
  }

  /**
   * Accepts a request.
   *
   * @param answer runs when its work is done
   * @return whether there was room in the queue
   */
  boolean accept(Runnable answer, long nowNanos) {
    if (idleWorkers > 0) {
      idleWorkers--;
      work(answer, nowNanos);
      return true;
    }
    return waiting.size() < MAX_WAITING && waiting.add(answer);
  }

  /**
   * Begins a request. The next one begins when this one was to end, even if the timer is late: what
   * the workers can do does not depend on the exactness of timers.
   */
  private void work(Runnable answer, long beginNanos) {
    long endNanos = beginNanos + serviceTime.drawNanos(waiting.size());
    timers.at(
        endNanos,
        () -> {
          answer.run();
          Runnable next = waiting.poll();
          if (next == null) {
            idleWorkers++;
          } else {
            work(next, endNanos);
          }
        });
  }

  /** How many requests wait for a worker. */
  int waiting() {
    return waiting.size();
  }
}
