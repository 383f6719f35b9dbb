package dev.weir.client;

import dev.weir.client.dispatch.Timers;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.CountDownLatch;

/**
 * A clock and timers that a test moves, from any thread. Tasks run on the thread that moves it, and
 * those that are executed at once on the thread that does so.
 */
public final class ManualTimers implements Timers, InstantSource {
  /** A whole second. */
  public static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private final PriorityQueue<Task> tasks =
      new PriorityQueue<>(Comparator.comparingLong(Task::atNanos).thenComparingLong(Task::order));
  private final List<Runnable> onSchedule = new ArrayList<>();
  private long now;
  private long order;

  private record Task(long atNanos, long order, Runnable work) {}

  @Override
  public synchronized long nanos() {
    return now;
  }

  @Override
  public synchronized Instant instant() {
    return START.plusNanos(now);
  }

  @Override
  public Runnable schedule(long delayNanos, Runnable work) {
    Task task;
    List<Runnable> listeners;
    synchronized (this) {
      task = new Task(now + Math.max(0, delayNanos), order++, work);
      tasks.add(task);
      listeners = List.copyOf(onSchedule);
    }
    listeners.forEach(Runnable::run);
    return () -> cancel(task);
  }

  @Override
  public void execute(Runnable task) {
    task.run();
  }

  private synchronized void cancel(Task task) {
    tasks.remove(task);
  }

  /** The number of tasks that wait for their time. */
  public synchronized int pending() {
    return tasks.size();
  }

  /** A latch that opens when the next task is scheduled. */
  public synchronized CountDownLatch nextTask() {
    CountDownLatch scheduled = new CountDownLatch(1);
    onSchedule.add(scheduled::countDown);
    return scheduled;
  }

  /** Advances the time, and runs the tasks that fall due on the way. */
  public void advance(Duration duration) {
    long end = nanos() + duration.toNanos();
    for (Task next = next(end); next != null; next = next(end)) {
      next.work.run();
    }
    synchronized (this) {
      now = end;
    }
  }

  private synchronized @org.jspecify.annotations.Nullable Task next(long end) {
    Task next = tasks.peek();
    if (next == null || next.atNanos > end) {
      return null;
    }
    now = next.atNanos;
    return tasks.remove();
  }
}
