package dev.weir.redis.batch;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** A timer on a manual clock; due tasks run on the thread that advances it. */
final class ManualTimer extends AbstractExecutorService implements ScheduledExecutorService {
  private final PriorityQueue<Task> tasks =
      new PriorityQueue<>(Comparator.<Task>comparingLong(task -> task.dueNanos));
  private long nowNanos;

  long nanos() {
    return nowNanos;
  }

  /** Advances the clock from one due task to the next. */
  void advance(long nanos) {
    long end = nowNanos + nanos;
    while (!tasks.isEmpty() && tasks.peek().dueNanos <= end) {
      Task task = tasks.remove();
      nowNanos = Math.max(nowNanos, task.dueNanos);
      task.run();
    }
    nowNanos = end;
  }

  /** Advances the clock at once: tasks that are due in between run late. */
  void skip(long nanos) {
    nowNanos += nanos;
    advance(0);
  }

  /** Advances the clock without running any task. */
  void stall(long nanos) {
    nowNanos += nanos;
  }

  int scheduled() {
    tasks.removeIf(Task::isCancelled);
    return tasks.size();
  }

  private static final class Task extends FutureTask<Void> implements ScheduledFuture<Void> {
    private final long dueNanos;

    Task(Runnable work, long dueNanos) {
      super(work, null);
      this.dueNanos = dueNanos;
    }

    @Override
    public long getDelay(TimeUnit unit) {
      throw new UnsupportedOperationException();
    }

    @Override
    public int compareTo(Delayed other) {
      throw new UnsupportedOperationException();
    }
  }

  @Override
  public ScheduledFuture<?> schedule(Runnable work, long delay, TimeUnit unit) {
    Task task = new Task(work, nowNanos + unit.toNanos(delay));
    tasks.add(task);
    return task;
  }

  @Override
  public void execute(Runnable work) {
    var unused = schedule(work, 0, TimeUnit.NANOSECONDS);
  }

  @Override
  public <V> ScheduledFuture<V> schedule(Callable<V> work, long delay, TimeUnit unit) {
    throw new UnsupportedOperationException();
  }

  @Override
  public ScheduledFuture<?> scheduleAtFixedRate(
      Runnable work, long delay, long period, TimeUnit unit) {
    throw new UnsupportedOperationException();
  }

  @Override
  public ScheduledFuture<?> scheduleWithFixedDelay(
      Runnable work, long delay, long pause, TimeUnit unit) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void shutdown() {}

  @Override
  public List<Runnable> shutdownNow() {
    return new ArrayList<>();
  }

  @Override
  public boolean isShutdown() {
    return false;
  }

  @Override
  public boolean isTerminated() {
    return false;
  }

  @Override
  public boolean awaitTermination(long wait, TimeUnit unit) {
    return true;
  }
}
