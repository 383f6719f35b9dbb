package dev.weir.operation;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * Daemon threads that are made when they are needed and end when they are not.
 *
 * <p><b>How.</b> A task wakes one thread, unless one is waking already; a thread that takes a task
 * and sees another wakes the next. So a batch of a hundred answers wakes two or three threads that
 * do them all, and not a hundred; but as long as tasks wait, a thread is on its way to them or all
 * are busy.
 *
 * <p><b>Why not a pool of the JDK.</b> A fork-join pool behaves like this, but that of JDK 17 now
 * and then leaves a task lying while a thread is idle, if the others are blocked. A thread pool
 * starts a thread for each task until it has all of them.
 */
final class WorkerPool implements Executor {
  private final String name;
  private final int maxThreads;
  private final long idleSeconds;

  // Under the lock.
  private final Deque<Runnable> tasks = new ArrayDeque<>();
  private int threads;
  private int idle;

  /** Threads that were woken or started, and have not taken a task yet. */
  private int waking;

  /** Of them, those that wait and have not noticed. */
  private int wakeUps;

  private int made;

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
      refuse(task);
    }
  }

  /** Sees to it that a thread comes; true if it has to be started. Called under the lock. */
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
    } catch (OutOfMemoryError e) { // the system gives no more threads
      synchronized (this) {
        threads--;
        waking--;
      }
      return false;
    }
  }

  private synchronized int number() {
    return made++;
  }

  /** Without any thread nobody would come for it. */
  private void refuse(Runnable task) {
    boolean alone;
    synchronized (this) {
      alone = threads == 0 && tasks.remove(task);
    }
    if (alone) {
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
        var unused = start(); // if it cannot, this one does them all
      }
      run(task);
    }
  }

  /**
   * Waits until it is woken; false if nobody did for long, or the system woke it for nothing, and
   * it ends. Called under the lock.
   */
  private boolean await() {
    idle++;
    if (wakeUps == 0) {
      try {
        TimeUnit.SECONDS.timedWait(this, idleSeconds);
      } catch (InterruptedException e) {
        // Whoever interrupted it meant a task that is over.
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

  /** What a task throws is its own affair: others come after it. */
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
