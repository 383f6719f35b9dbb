package dev.weir.async;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * An executor of daemon threads that start when needed and end when idle.
 *
 * <p><b>How.</b> A task wakes one thread, unless one is waking already; a thread that takes a task
 * and sees another wakes the next. So a batch of a hundred answers wakes two or three threads that
 * run them all, and not a hundred; but as long as tasks wait, a thread is waking or all are busy.
 *
 * <p><b>Why not a pool of the JDK.</b> A fork-join pool behaves like this, but that of JDK 17 now
 * and then leaves a task queued while a thread is idle, if the others are blocked. A thread pool
 * starts a thread for each task until it has its maximum.
 */
final class WorkerPool implements Executor {
  private final String name;
  private final int maxThreads;
  private final long idleSeconds;

  // Guarded by this.
  private final Deque<Runnable> tasks = new ArrayDeque<>();
  private int threads;
  private int idle;

  /** Threads that were notified or started and have not taken a task yet. */
  private int waking;

  /** Notifications that no waiting thread has consumed yet. */
  private int wakeUps;

  /** Numbers the threads. */
  private int started;

  WorkerPool(String name, int maxThreads, long idleSeconds) {
    this.name = name;
    this.maxThreads = maxThreads;
    this.idleSeconds = idleSeconds;
  }

  @Override
  public void execute(Runnable task) {
    boolean more;
    synchronized (this) {
      tasks.addLast(task);
      more = wake();
    }
    if (more && !start()) {
      rejectWithoutThreads(task);
    }
  }

  /** Wakes a thread if needed; true if the caller has to start one. Called under the lock. */
  private boolean wake() {
    if (waking > 0 || tasks.isEmpty()) {
      return false;
    }
    if (idle > 0) {
      idle--;
      waking++;
      wakeUps++;
      notify();
      return false;
    }
    if (threads == maxThreads) {
      return false;
    }
    threads++;
    waking++;
    return true;
  }

  private boolean start() {
    try {
      Thread thread = new Thread(this::work, name + "-" + number());
      thread.setDaemon(true);
      thread.start();
      return true;
    } catch (OutOfMemoryError e) { // the system cannot create another thread
      synchronized (this) {
        threads--;
        waking--;
      }
      return false;
    }
  }

  private synchronized int number() {
    return started++;
  }

  /** Rejects the task if the pool has no thread at all, because none would ever run it. */
  private void rejectWithoutThreads(Runnable task) {
    boolean removed;
    synchronized (this) {
      removed = threads == 0 && tasks.remove(task);
    }
    if (removed) {
      throw new RejectedExecutionException("no thread can be started");
    }
  }

  private void work() {
    boolean woken = true;
    while (true) {
      Runnable task;
      boolean more;
      synchronized (this) {
        waking -= woken ? 1 : 0;
        woken = false;
        task = tasks.pollFirst();
        if (task == null) {
          if (!await()) {
            return;
          }
          woken = true;
          continue;
        }
        more = wake();
      }
      if (more) {
        var unused = start(); // if that fails, this thread runs all tasks
      }
      run(task);
    }
  }

  /**
   * Waits until notified; false if the thread is to end, because the idle time is over or the
   * wakeup was spurious. Called under the lock.
   */
  private boolean await() {
    idle++;
    if (wakeUps == 0) {
      try {
        TimeUnit.SECONDS.timedWait(this, idleSeconds);
      } catch (InterruptedException e) {
        // The interrupt was meant for a task that has ended.
      }
    }
    if (wakeUps == 0) {
      idle--;
      threads--;
      return false;
    }
    wakeUps--;
    return true;
  }

  /** Runs a task; an exception goes to the thread's handler and does not end the thread. */
  private static void run(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | Error e) {
      Thread thread = Thread.currentThread();
      thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
    }
  }

  synchronized int threads() {
    return threads;
  }
}
