package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.StoreFailure;
import dev.weir.key.KeySpace;
import dev.weir.redis.connection.RedisSettings;
import dev.weir.testkit.redis.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Continuations of one caller do not delay other callers. */
@Timeout(60)
class ContinuationsTest {
  private static final Limit MANY = Limit.fixedWindow(1_000_000, Duration.ofHours(1));
  private static final int BLOCKED = 30;

  private static RedisServer redis;

  private final KeySpace keys = KeySpace.random();

  @BeforeAll
  static void start() {
    redis = RedisServer.start();
  }

  @AfterAll
  static void stop() {
    redis.close();
  }

  private static RedisStore connect() {
    return RedisStore.connect(RedisSettings.parse(redis.url() + "?deadline=5s"));
  }

  private Claim claim(String name) {
    return Claim.of(MANY, keys.key(name));
  }

  private static void block(CountDownLatch until) {
    try {
      until.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void awaitAll(List<CompletionStage<Void>> stages) throws Exception {
    for (CompletionStage<Void> stage : stages) {
      stage.toCompletableFuture().get(30, TimeUnit.SECONDS);
    }
  }

  @Test
  void blockingContinuationsDelayNoOtherCaller() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    CountDownLatch blocked = new CountDownLatch(BLOCKED);
    List<CompletionStage<Void>> slow = new ArrayList<>();
    Thread self = Thread.currentThread(); // runs the continuation itself if the answer is there
    try (RedisStore store = connect()) {
      try {
        for (int i = 0; i < BLOCKED; i++) {
          slow.add(
              store
                  .take(claim("slow"))
                  .stage()
                  .thenAccept(
                      decision -> {
                        blocked.countDown();
                        if (Thread.currentThread() != self) {
                          block(release);
                        }
                      }));
        }
        assertThat(blocked.await(30, TimeUnit.SECONDS)).isTrue();
        for (int i = 0; i < 60; i++) {
          assertThat(store.take(claim("quick")).join().allowed()).isTrue();
          CompletionStage<Decision> stage = store.take(claim("quick")).stage();
          assertThat(stage.toCompletableFuture().get(30, TimeUnit.SECONDS).allowed()).isTrue();
        }
      } finally {
        release.countDown();
      }
      awaitAll(slow);
    }
  }

  @Test
  void continuationMayWaitForAnotherAnswer() throws Exception {
    try (RedisStore store = connect()) {
      for (int i = 0; i < 10; i++) {
        CompletionStage<Decision> both =
            store.take(claim("a")).stage().thenApply(first -> store.take(claim("b")).join());
        assertThat(both.toCompletableFuture().get(30, TimeUnit.SECONDS).allowed()).isTrue();
      }
    }
  }

  /** The batch is large enough to be completed by the extra thread, which must not block either. */
  @Test
  void blockingContinuationsOfALargeBatchDelayNoOtherCaller() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    List<CompletionStage<Void>> slow = new ArrayList<>();
    List<CompletionStage<Decision>> quick = new ArrayList<>();
    try (RedisStore store = connect()) {
      try {
        redis.pause();
        for (int i = 0; i < BLOCKED; i++) {
          slow.add(store.take(claim("slow " + i)).stage().thenAccept(decision -> block(release)));
          quick.add(store.take(claim("quick " + i)).stage());
        }
        redis.resume();
        for (CompletionStage<Decision> stage : quick) {
          assertThat(stage.toCompletableFuture().get(30, TimeUnit.SECONDS).allowed()).isTrue();
        }
      } finally {
        redis.resume();
        release.countDown();
      }
      awaitAll(slow);
    }
  }

  @Test
  void continuationThatBlocksOnAFailureDelaysNoOtherDeadline() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    CountDownLatch blocked = new CountDownLatch(1);
    RedisSettings settings = RedisSettings.parse(redis.url() + "?deadline=200ms");
    try (RedisStore store = RedisStore.connect(settings)) {
      CompletionStage<Void> slow;
      try {
        redis.pause();
        slow =
            store
                .take(claim("slow"))
                .stage()
                .handle(
                    (decision, failure) -> {
                      blocked.countDown();
                      block(release);
                      return null;
                    });
        assertThat(blocked.await(30, TimeUnit.SECONDS)).isTrue();
        CompletableFuture<Decision> other = store.take(claim("o")).stage().toCompletableFuture();
        assertThatThrownBy(() -> other.get(30, TimeUnit.SECONDS))
            .hasCauseInstanceOf(StoreFailure.class);
      } finally {
        redis.resume();
        release.countDown();
      }
      awaitAll(List.of(slow));
    }
  }

  @Test
  void continuationsRunInTheGivenExecutor() throws Exception {
    ExecutorService own = Executors.newSingleThreadExecutor(work -> new Thread(work, "my own"));
    RedisSettings settings = RedisSettings.parse(redis.url() + "?deadline=5s");
    try (RedisStore store = RedisStore.connect(settings, own)) {
      redis.pause();
      CompletionStage<String> thread =
          store.take(claim("a")).stage().thenApply(decision -> Thread.currentThread().getName());
      redis.resume();
      assertThat(thread.toCompletableFuture().get(30, TimeUnit.SECONDS)).isEqualTo("my own");
    } finally {
      redis.resume();
      own.shutdown();
    }
  }

  @Test
  void rosterDoesNotCompleteOnTheEventLoop() throws Exception {
    try (RedisStore store = connect()) {
      redis.pause();
      CompletionStage<String> roll =
          store
              .roster()
              .announce("server", Duration.ofSeconds(1))
              .thenApply(all -> Thread.currentThread().getName());
      redis.resume();
      assertThat(roll.toCompletableFuture().get(30, TimeUnit.SECONDS)).doesNotContain("lettuce");
    } finally {
      redis.resume();
    }
  }
}
