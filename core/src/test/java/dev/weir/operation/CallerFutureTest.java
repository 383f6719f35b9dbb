package dev.weir.operation;

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
  private int givenBack;
  private int claimed;

  private CallerFuture future(Executor continuations) {
    return new CallerFuture(continuations) {
      @Override
      protected void claimed() {
        claimed++;
      }

      @Override
      protected void unclaimed(Decision granted) {
        givenBack++;
      }
    };
  }

  @Test
  void continuationsRunOnTheExecutor() {
    CallerFuture future = future(executor::add);
    AtomicReference<Decision> seen = new AtomicReference<>();
    future.stage().thenAccept(seen::set);
    assertThat(future.isAwaited()).isTrue();
    assertThat(future.settle(YES)).isTrue();
    assertThat(future.isAwaited()).as("the store has answered").isFalse();
    assertThat(seen.get()).isNull();
    executor.remove().run();
    assertThat(seen.get()).isEqualTo(YES);
    assertThat(claimed).isEqualTo(1);
  }

  @Test
  void aFailureGoesThereToo() {
    CallerFuture future = future(executor::add);
    AtomicReference<Throwable> seen = new AtomicReference<>();
    future.stage().exceptionally(failure -> fail(seen, failure));
    StoreFailure gone = new StoreFailure(Effect.NONE, "gone", null);
    assertThat(future.fail(gone)).isTrue();
    assertThat(seen.get()).isNull();
    executor.remove().run();
    assertThat(StoreFailure.cause(Objects.requireNonNull(seen.get()))).isSameAs(gone);
    assertThatThrownBy(future::join).isSameAs(gone);
  }

  private static Decision fail(AtomicReference<Throwable> seen, Throwable failure) {
    seen.set(failure);
    return NO;
  }

  @Test
  void whoOnlyWaitsNeedsNoExecutor() throws Exception {
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
    assertThat(givenBack).as("is for the store to say").isZero();
  }

  @Test
  void aGrantToWhoeverHasCancelledIsGivenBackOnce() {
    CallerFuture future = future(executor::add);
    CompletableFuture<Decision> callers = future.stage().toCompletableFuture();
    assertThat(callers.cancel(true)).isTrue();
    assertThat(future.isAwaited()).isFalse();
    assertThat(future.settle(YES)).isTrue();
    assertThat(future.settle(YES)).isFalse();
    assertThat(givenBack).isEqualTo(1);
    assertThatThrownBy(future::join).isInstanceOf(CancellationException.class);
  }

  @Test
  void aGrantToWhoeverHasADecisionByAnotherWayIsGivenBack() {
    CallerFuture completed = future(Continuations.DIRECT);
    completed.stage().toCompletableFuture().complete(NO);
    completed.settle(YES);
    CallerFuture timedOut = future(Continuations.DIRECT);
    timedOut.stage().toCompletableFuture().orTimeout(1, TimeUnit.MICROSECONDS);
    assertThatThrownBy(timedOut::join).isInstanceOf(CompletionException.class);
    timedOut.settle(YES);
    assertThat(givenBack).isEqualTo(2);
  }

  @Test
  void aDenialIsNotGivenBack() {
    CallerFuture future = future(Continuations.DIRECT);
    future.cancel(true);
    future.settle(NO);
    assertThat(givenBack).isZero();
    assertThat(claimed).isEqualTo(1);
  }

  @Test
  void anAnswerIsNotLostWhereTheExecutorRefuses() {
    CallerFuture future =
        future(
            task -> {
              throw new RejectedExecutionException("full");
            });
    AtomicReference<Decision> seen = new AtomicReference<>();
    future.stage().thenAccept(seen::set);
    future.settle(YES);
    assertThat(seen.get()).isEqualTo(YES);
  }

  /**
   * However the caller and the answer meet, the thread that brings it never runs a continuation.
   */
  @Test
  void whoeverBringsTheAnswerRunsNoContinuation() throws Exception {
    Thread caller = Thread.currentThread();
    CyclicBarrier start = new CyclicBarrier(2);
    AtomicReference<CallerFuture> asked = new AtomicReference<>();
    int rounds = 2_000;
    Thread bringer =
        new Thread(
            () -> {
              for (int i = 0; i < rounds; i++) {
                await(start);
                Objects.requireNonNull(asked.get()).settle(YES);
              }
            });
    bringer.setDaemon(true);
    bringer.start();
    for (int i = 0; i < rounds; i++) {
      CallerFuture future = future(Continuations.shared());
      asked.set(future);
      await(start);
      CompletableFuture<Thread> ran = new CompletableFuture<>();
      future.stage().thenAccept(decision -> ran.complete(Thread.currentThread()));
      Thread thread = ran.get(30, TimeUnit.SECONDS);
      assertThat(thread).as("round %d", i).isNotSameAs(bringer);
      assertThat(thread == caller || thread.getName().startsWith("weir-continuations")).isTrue();
    }
    bringer.join();
  }

  private static void await(CyclicBarrier barrier) {
    try {
      barrier.await(30, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** Else callers who wait in continuations would wait for each other's threads. */
  @Test
  void layersPassAnAnswerOnWithoutTheExecutorAndOnlyTheCallerMovesToIt() {
    CallerFuture store = future(executor::add);
    Answer joined = CallerFuture.relay(CallerFuture.relay(store, d -> d), d -> d);
    store.settle(YES);
    assertThat(executor).isEmpty();
    assertThat(joined.join()).isEqualTo(YES);

    CallerFuture other = future(executor::add);
    AtomicReference<Decision> seen = new AtomicReference<>();
    CallerFuture.relay(CallerFuture.relay(other, d -> d), d -> d).stage().thenAccept(seen::set);
    other.settle(YES);
    assertThat(seen.get()).isNull();
    assertThat(executor).hasSize(1);
    executor.remove().run();
    assertThat(seen.get()).isEqualTo(YES);
  }

  /** Others go on while as many as may block do. */
  @Test
  void theSharedExecutorGoesOnWhileCallersBlock() throws Exception {
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
        CompletableFuture<Decision> seen =
            other.stage().thenApply(decision -> decision).toCompletableFuture();
        other.settle(YES);
        assertThat(seen.get(30, TimeUnit.SECONDS)).isEqualTo(YES);
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
