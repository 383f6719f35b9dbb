package dev.weir.testkit.contract;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Threads that start at the same moment. */
final class ParallelThreads {
  static final int THREADS = 64;

  private ParallelThreads() {}

  /** The work of one thread. */
  @FunctionalInterface
  interface Task {
    void run(int thread) throws Exception;
  }

  /** Runs the task once in each of the threads, and returns when all are done. */
  static void run(Task task) {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      CyclicBarrier start = new CyclicBarrier(THREADS);
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        int thread = i;
        running.add(
            threads.submit(
                () -> {
                  start.await();
                  task.run(thread);
                  return null;
                }));
      }
      for (Future<?> each : running) {
        each.get();
      }
    } catch (ExecutionException e) {
      throw new AssertionError(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    } finally {
      threads.shutdownNow();
    }
  }
}
