package dev.weir.async;

import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Runs asynchronous tasks in order of arrival, at most a fixed number at a time, so that background
 * work does not delay requests. Safe for use by any number of threads.
 */
public final class AsyncBulkhead {
  private final int maxConcurrent;
  private final Queue<Task> queue = new ConcurrentLinkedQueue<>();
  private final AtomicInteger running = new AtomicInteger();
  private final AtomicInteger queued = new AtomicInteger();

  /** Calls to {@link #drain} that have not been served. */
  private final AtomicInteger calls = new AtomicInteger();

  private record Task(Supplier<? extends CompletionStage<?>> work, CompletableFuture<Void> done) {}

  /** A bulkhead that runs at most {@code maxConcurrent} tasks at a time. */
  public AsyncBulkhead(int maxConcurrent) {
    this.maxConcurrent = maxConcurrent;
  }

  /** Queues a task; the future completes when the task has succeeded or failed. */
  public CompletableFuture<Void> submit(Supplier<? extends CompletionStage<?>> work) {
    Task task = new Task(work, new CompletableFuture<>());
    queued.incrementAndGet();
    queue.add(task);
    drain();
    return task.done;
  }

  /** How many tasks are queued and not running yet. */
  public int queued() {
    return queued.get();
  }

  /**
   * Starts queued tasks. One thread at a time does, and a task that completes at once adds no stack
   * frames: its call to this method is only counted.
   */
  private void drain() {
    if (calls.getAndIncrement() > 0) {
      return;
    }
    int seen = 1;
    while (seen > 0) {
      while (running.get() < maxConcurrent) {
        Task next = queue.poll();
        if (next == null) {
          break;
        }
        start(next);
      }
      seen = calls.addAndGet(-seen);
    }
  }

  private void start(Task task) {
    queued.decrementAndGet();
    running.incrementAndGet();
    CompletionStage<?> end;
    try {
      end = task.work.get();
    } catch (RuntimeException e) {
      end = CompletableFuture.failedStage(e);
    }
    var unused =
        end.whenComplete(
            (done, failure) -> {
              running.decrementAndGet();
              task.done.complete(null);
              drain();
            });
  }
}
