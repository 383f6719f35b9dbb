package dev.weir.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Answer;
import dev.weir.Decision;
import dev.weir.Decision.Verdict;
import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class CallerFutureTest {
  private static final Decision YES = Decision.of(Verdict.ALLOWED, 1, 0, 0);
  private static final Decision NO = Decision.of(Verdict.DENIED, 0, 1, 1);

  private final Deque<Runnable> executor = new ArrayDeque<>();
  private int refunded;
  private int delivered;

  private CallerFuture future(Executor continuations) {
    return new CallerFuture(continuations) {
      @Override
      protected void onDelivered() {
        delivered++;
      }

      @Override
      protected void onAbandoned(Decision granted) {
        refunded++;
      }
    };
  }

  @Test
  void continuationsRunOnTheExecutor() {
    CallerFuture future = future(executor::add);
    AtomicReference<Decision> received = new AtomicReference<>();
    future.stage().thenAccept(received::set);
    assertThat(future.isAwaited()).isTrue();
    assertThat(future.settle(YES)).isTrue();
    assertThat(future.isAwaited()).as("the store has answered").isFalse();
    assertThat(received.get()).isNull();
    executor.remove().run();
    assertThat(received.get()).isEqualTo(YES);
    assertThat(delivered).isEqualTo(1);
  }

  @Test
  void aFailureIsDeliveredOnTheExecutor() {
    CallerFuture future = future(executor::add);
    AtomicReference<Throwable> received = new AtomicReference<>();
    future.stage().exceptionally(failure -> fail(received, failure));
    StoreFailure gone = new StoreFailure(Effect.NONE, "gone", null);
    assertThat(future.fail(gone)).isTrue();
    assertThat(received.get()).isNull();
    executor.remove().run();
    assertThat(StoreFailure.cause(Objects.requireNonNull(received.get()))).isSameAs(gone);
    assertThatThrownBy(future::join).isSameAs(gone);
  }

  private static Decision fail(AtomicReference<Throwable> received, Throwable failure) {
    received.set(failure);
    return NO;
  }

  @Test
  void joinNeedsNoExecutor() throws Exception {
    CallerFuture future = future(executor::add);
    CompletableFuture<Decision> waiting = CompletableFuture.supplyAsync(future::join);
    future.settle(YES);
    assertThat(waiting.get(30, TimeUnit.SECONDS)).isEqualTo(YES);
    assertThat(executor).isEmpty();
  }

  @Test
  void theFirstAnswerCounts() {
    CallerFuture future = future(Continuations.DIRECT);
    assertThat(future.fail(new StoreFailure(Effect.UNKNOWN, "late", null))).isTrue();
    assertThat(future.settle(YES)).isFalse();
    assertThatThrownBy(future::join).hasMessage("late");
    assertThat(refunded).as("the store decides on a refund").isZero();
  }

  @Test
  void aGrantToACallerThatCancelledIsRefundedOnce() {
    CallerFuture future = future(executor::add);
    CompletableFuture<Decision> callers = future.stage().toCompletableFuture();
    assertThat(callers.cancel(true)).isTrue();
    assertThat(future.isAwaited()).isFalse();
    assertThat(future.settle(YES)).isTrue();
    assertThat(future.settle(YES)).isFalse();
    assertThat(refunded).isEqualTo(1);
    assertThatThrownBy(future::join).isInstanceOf(CancellationException.class);
  }

  @Test
  void aGrantToACallerThatCompletedItsFutureIsRefunded() {
    CallerFuture completed = future(Continuations.DIRECT);
    completed.stage().toCompletableFuture().complete(NO);
    completed.settle(YES);
    CallerFuture timedOut = future(Continuations.DIRECT);
    timedOut.stage().toCompletableFuture().orTimeout(1, TimeUnit.MICROSECONDS);
    assertThatThrownBy(timedOut::join).isInstanceOf(CompletionException.class);
    timedOut.settle(YES);
    assertThat(refunded).isEqualTo(2);
  }

  @Test
  void aDenialIsNotRefunded() {
    CallerFuture future = future(Continuations.DIRECT);
    future.cancel(true);
    future.settle(NO);
    assertThat(refunded).isZero();
    assertThat(delivered).isEqualTo(1);
  }

  @Test
  void anAnswerIsNotLostIfTheExecutorRejectsIt() {
    CallerFuture future =
        future(
            task -> {
              throw new RejectedExecutionException("full");
            });
    AtomicReference<Decision> received = new AtomicReference<>();
    future.stage().thenAccept(received::set);
    future.settle(YES);
    assertThat(received.get()).isEqualTo(YES);
  }

  /** Whenever the caller adds a continuation, the thread that delivers the answer never runs it. */
  @Test
  void theDeliveringThreadRunsNoContinuation() throws Exception {
    Thread caller = Thread.currentThread();
    CyclicBarrier start = new CyclicBarrier(2);
    AtomicReference<CallerFuture> pending = new AtomicReference<>();
    int rounds = 2_000;
    Thread deliverer =
        new Thread(
            () -> {
              for (int i = 0; i < rounds; i++) {
                await(start);
                Objects.requireNonNull(pending.get()).settle(YES);
              }
            });
    deliverer.setDaemon(true);
    deliverer.start();
    for (int i = 0; i < rounds; i++) {
      CallerFuture future = future(Continuations.shared());
      pending.set(future);
      await(start);
      CompletableFuture<Thread> ran = new CompletableFuture<>();
      future.stage().thenAccept(decision -> ran.complete(Thread.currentThread()));
      Thread thread = ran.get(30, TimeUnit.SECONDS);
      assertThat(thread).as("round %d", i).isNotSameAs(deliverer);
      assertThat(thread == caller || thread.getName().startsWith("weir-continuations")).isTrue();
    }
    deliverer.join();
  }

  private static void await(CyclicBarrier barrier) {
    try {
      barrier.await(30, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** Otherwise callers that wait in continuations would wait for each other's threads. */
  @Test
  void layersRelayWithoutTheExecutorAndOnlyTheCallerUsesIt() {
    CallerFuture store = future(executor::add);
    Answer joined = CallerFuture.relay(CallerFuture.relay(store, d -> d), d -> d);
    store.settle(YES);
    assertThat(executor).isEmpty();
    assertThat(joined.join()).isEqualTo(YES);

    CallerFuture other = future(executor::add);
    AtomicReference<Decision> received = new AtomicReference<>();
    CallerFuture.relay(CallerFuture.relay(other, d -> d), d -> d).stage().thenAccept(received::set);
    other.settle(YES);
    assertThat(received.get()).isNull();
    assertThat(executor).hasSize(1);
    executor.remove().run();
    assertThat(received.get()).isEqualTo(YES);
  }

  /** Other continuations run while one less than the maximum is blocked. */
  @Test
  void theSharedExecutorRunsContinuationsWhileCallersBlock() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    CountDownLatch blocked = new CountDownLatch(Continuations.MAX_BLOCKED - 1);
    CompletableFuture<?>[] all = new CompletableFuture<?>[Continuations.MAX_BLOCKED - 1];
    try {
      for (int i = 0; i < all.length; i++) {
        CallerFuture future = future(Continuations.shared());
        all[i] =
            future
                .stage()
                .thenAccept(
                    decision -> {
                      blocked.countDown();
                      uninterruptibly(release);
                    })
                .toCompletableFuture();
        future.settle(YES);
      }
      assertThat(blocked.await(30, TimeUnit.SECONDS)).isTrue();
      for (int i = 0; i < 100; i++) {
        CallerFuture other = future(Continuations.shared());
        CompletableFuture<Decision> received =
            other.stage().thenApply(decision -> decision).toCompletableFuture();
        other.settle(YES);
        assertThat(received.get(30, TimeUnit.SECONDS)).isEqualTo(YES);
      }
    } finally {
      release.countDown();
    }
    CompletableFuture.allOf(all).get(30, TimeUnit.SECONDS);
  }

  private static void uninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
