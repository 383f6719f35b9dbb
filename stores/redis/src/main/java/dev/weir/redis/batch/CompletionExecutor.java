package dev.weir.redis.batch;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The thread that completes the requests of large batches.
 *
 * <p>Waking many callers takes longer than deciding for them. If the thread that reads from Redis
 * did it for a large batch, Redis would be idle meanwhile. Thread-safe.
 */
final class CompletionExecutor implements AutoCloseable {
  /**
   * The number of entries from which a batch is large. A smaller one is decided quickly, however
   * many callers it has: then it is better if callers that are awake send their next requests in
   * time for the next batch.
   */
  private static final int LARGE = 16;

  private static final int MAX_WAITING = 4;

  private final ThreadPoolExecutor thread =
      new ThreadPoolExecutor(
          1,
          1,
          0,
          TimeUnit.SECONDS,
          new ArrayBlockingQueue<>(MAX_WAITING),
          work -> {
            Thread created = new Thread(work, "weir-redis-answers");
            created.setDaemon(true);
            return created;
          },
          // If the queue is full or this is closed, the thread that read the reply completes it.
          (work, rejecting) -> work.run());

  /** Whether the requests of a batch are completed here, not on the thread that read the reply. */
  static boolean isLarge(Batch batch) {
    return batch.coalesced().size() >= LARGE;
  }

  /** Runs what completes the requests of a large batch. */
  void execute(Runnable completion) {
    thread.execute(completion);
  }

  /** Ends the thread once it has completed all batches that it was given. */
  @Override
  public void close() {
    thread.shutdown();
  }
}
