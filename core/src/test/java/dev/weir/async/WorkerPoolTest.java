package dev.weir.async;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class WorkerPoolTest {
  private static final int THREADS = 8;

  private final WorkerPool pool = new WorkerPool("test", THREADS, 1);

  private CompletableFuture<Integer> submit(int value) {
    CompletableFuture<Integer> done = new CompletableFuture<>();
    pool.execute(() -> done.complete(value));
    return done;
  }

  /** The fork-join pool of JDK 17 leaves a task queued in about one of a hundred such rounds. */
  @Test
  void oneFreeThreadRunsAllTasks() throws Exception {
    for (int round = 0; round < 500; round++) {
      CountDownLatch release = new CountDownLatch(1);
      CountDownLatch blocked = new CountDownLatch(THREADS - 1);
      for (int i = 0; i < THREADS - 1; i++) {
        pool.execute(
            () -> {
              blocked.countDown();
              await(release);
            });
      }
      await(blocked);
      for (int i = 0; i < 100; i++) {
        assertThat(submit(i).get(60, TimeUnit.SECONDS)).isEqualTo(i);
      }
      release.countDown();
    }
  }

  @Test
  void noTaskIsLostHoweverManyAreSubmitted() throws Exception {
    List<CompletableFuture<Integer>> all = new ArrayList<>();
    for (int i = 0; i < 100_000; i++) {
      all.add(submit(i));
    }
    for (int i = 0; i < all.size(); i++) {
      assertThat(all.get(i).get(60, TimeUnit.SECONDS)).isEqualTo(i);
    }
    assertThat(pool.threads()).isBetween(1, THREADS);
  }

  @Test
  void aTaskThatThrowsDoesNotAffectOthers() throws Exception {
    for (int i = 0; i < 100; i++) {
      pool.execute(
          () -> {
            Thread.currentThread().setUncaughtExceptionHandler((thread, error) -> {});
            throw new IllegalStateException("on purpose");
          });
    }
    assertThat(submit(7).get(60, TimeUnit.SECONDS)).isEqualTo(7);
  }

  @Test
  void idleThreadsEnd() throws Exception {
    submit(1).get(60, TimeUnit.SECONDS);
    while (pool.threads() > 0) {
      TimeUnit.MILLISECONDS.sleep(20);
    }
    assertThat(submit(2).get(60, TimeUnit.SECONDS)).isEqualTo(2);
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
