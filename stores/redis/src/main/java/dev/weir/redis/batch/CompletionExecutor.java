package dev.weir.redis.batch;

import dev.weir.redis.connection.RedisFailures;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Completes the requests of a batch: small batches on the calling thread, large ones on a thread of
 * its own.
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

  /** Completes the requests of a call from its reply; if the reply is invalid, they fail. */
  void complete(Call call, byte[] reply) {
    if (call.batch().coalesced().size() < LARGE) {
      completeNow(call, reply);
    } else {
      thread.execute(() -> completeNow(call, reply));
    }
  }

  private static void completeNow(Call call, byte[] reply) {
    try {
      call.complete(reply);
    } catch (RuntimeException | Error e) {
      Lane.fail(call.batch().requests(), RedisFailures.of(e));
    }
  }

  /** Ends the thread once it has completed all replies that it was given. */
  @Override
  public void close() {
    thread.shutdown();
  }
}
