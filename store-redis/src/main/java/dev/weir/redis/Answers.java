package dev.weir.redis;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Gives answers to those who wait for them.
 *
 * <p>To wake many callers takes longer than to decide for them. If the thread that reads from Redis
 * did it, Redis would have nothing to do meanwhile; so another thread does, if they are many.
 */
final class Answers implements AutoCloseable {
  /**
   * From how many counters on a batch is large. One of fewer is soon decided, however many ask:
   * then it is better if those who are awake ask again in time for the next batch.
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
            Thread made = new Thread(work, "weir-redis-answers");
            made.setDaemon(true);
            return made;
          },
          (work, full) -> work.run()); // or closed: whoever brings an answer sees it given

  void give(Call call, byte[] answer) {
    if (call.batch().questions().size() < LARGE) {
      complete(call, answer);
    } else {
      thread.execute(() -> complete(call, answer));
    }
  }

  private static void complete(Call call, byte[] answer) {
    try {
      call.complete(answer);
    } catch (RuntimeException | Error e) {
      Lane.fail(call.batch().requests(), Failures.of(e));
    }
  }

  /** What has come is still given. */
  @Override
  public void close() {
    thread.shutdown();
  }
}
