package dev.weir.library;

import dev.weir.Answer;
import dev.weir.Decision;
import dev.weir.StoreFailure;
import dev.weir.async.Continuations;
import dev.weir.async.Scheduler;
import dev.weir.key.KeySpace;
import dev.weir.library.metrics.DecisionListener;
import dev.weir.library.web.HeldPermits;
import dev.weir.limiter.Degradation;
import dev.weir.limiter.Limiter;
import dev.weir.rule.FailureMode;
import dev.weir.rule.book.Match;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What all limiters of one {@link Weir} share. Thread-safe. */
final class Engine {
  private static final int MAX_TIMERS = 4 * WaitQueue.MAX_WAITING;

  private final Limiter limiter;
  private final KeySpace keys;
  private final Scheduler scheduler;
  private final Executor executor;
  private final DecisionListener listener;
  private final List<WaitQueue> queues = new CopyOnWriteArrayList<>();
  private final AtomicInteger timers = new AtomicInteger();
  private final HeldPermits heldPermits;
  private volatile boolean closed;

  Engine(
      Limiter limiter,
      KeySpace keys,
      Scheduler scheduler,
      Executor executor,
      DecisionListener listener) {
    this.limiter = limiter;
    this.keys = keys;
    this.scheduler = scheduler;
    this.executor = executor;
    this.listener = listener;
    this.heldPermits = new HeldPermits(limiter, scheduler);
  }

  /** The limiter, which answers even after the end: to give back what is held. */
  Limiter limiter() {
    return limiter;
  }

  KeySpace keys() {
    return keys;
  }

  Scheduler scheduler() {
    return scheduler;
  }

  Executor executor() {
    return executor;
  }

  /** Renews permits that are held. */
  HeldPermits heldPermits() {
    return heldPermits;
  }

  /** Runs a task later. */
  void schedule(long nanos, Runnable task) {
    timers.incrementAndGet();
    scheduler.schedule(
        nanos,
        () -> {
          timers.decrementAndGet();
          task.run();
        });
  }

  /** Whether more timers may be set; those of callers that went away run down. */
  boolean hasTimers() {
    return timers.get() < MAX_TIMERS;
  }

  /** A queue for callers that wait, who are sent away at the end. */
  WaitQueue newQueue() {
    WaitQueue queue = new WaitQueue(this);
    queues.add(queue);
    return queue;
  }

  /**
   * Checks that requests may still be made.
   *
   * @throws IllegalStateException if the Weir is closed
   */
  void checkOpen() {
    if (closed) {
      throw closedFailure();
    }
  }

  static IllegalStateException closedFailure() {
    return new IllegalStateException("weir: closed (expected: open)");
  }

  boolean isClosed() {
    return closed;
  }

  /** Rejects requests from now on, and fails those that wait. */
  void close() {
    closed = true;
    heldPermits.close();
    queues.forEach(WaitQueue::close);
  }

  /** Decides, and waits for the store. */
  RateLimitDecision take(Match match) {
    checkOpen();
    Answer answer = limiter.take(match);
    if (answer instanceof Decision decision) {
      return decided(match, decision);
    }
    try {
      return decided(match, answer.join());
    } catch (StoreFailure e) {
      return unavailable(match);
    }
  }

  /**
   * Decides without waiting. The stage is the caller's own: if it is cancelled before the decision
   * is there, what is granted is given back.
   */
  CompletableFuture<RateLimitDecision> takeAsync(Match match) {
    checkOpen();
    Answer answer = limiter.take(match);
    if (answer instanceof Decision decision) {
      return CompletableFuture.completedFuture(decided(match, decision));
    }
    CompletableFuture<RateLimitDecision> result = new CompletableFuture<>();
    var unused =
        answer
            .stage()
            .whenComplete(
                (decision, failure) ->
                    Continuations.run(executor, () -> deliver(result, match, decision, failure)));
    return result;
  }

  /** {@link #takeAsync(Match)}, once it is known what to charge. */
  CompletableFuture<RateLimitDecision> takeAsync(CompletionStage<Match> matched) {
    CompletableFuture<RateLimitDecision> result = new CompletableFuture<>();
    var unused =
        matched
            .thenCompose(
                match ->
                    result.isDone() // the caller has gone, and nothing was taken yet
                        ? result
                        : takeAsync(match)
                            .whenComplete(
                                (decision, failure) -> {
                                  if (failure == null
                                      && !result.complete(decision)
                                      && decision.allowed()) {
                                    limiter.giveBack(match, decision.whole());
                                  }
                                }))
            .exceptionally(
                failure -> {
                  result.completeExceptionally(StoreFailure.cause(failure));
                  return null;
                });
    return result;
  }

  private void deliver(
      CompletableFuture<RateLimitDecision> result,
      Match match,
      @Nullable Decision decision,
      @Nullable Throwable failure) {
    if (decision != null) {
      if (!result.complete(decided(match, decision))) {
        limiter.giveBack(match, decision);
      }
    } else if (failure != null && StoreFailure.cause(failure) instanceof StoreFailure) {
      result.complete(unavailable(match));
    } else {
      result.completeExceptionally(
          failure == null ? new IllegalStateException("no decision") : StoreFailure.cause(failure));
    }
  }

  private RateLimitDecision decided(Match match, Decision decision) {
    reportDegraded(decision);
    return RateLimitDecision.of(match, decision);
  }

  /** Counts a decision that was made without the store. */
  void reportDegraded(Decision decision) {
    Degradation.failureMode(decision).ifPresent(listener::onDegraded);
  }

  /** Counts a request that is denied because the store did not answer. */
  void reportUnanswered() {
    listener.onDegraded(FailureMode.DENY);
  }

  private RateLimitDecision unavailable(Match match) {
    reportUnanswered();
    return RateLimitDecision.unavailable(match);
  }

  /**
   * What is made of a decision, for a caller who may have gone by then.
   *
   * @param made makes it; a {@link LimitExceededException} that it throws is the caller's
   * @param unclaimed gives it back if the caller cancelled
   */
  static <T> CompletableFuture<T> handOver(
      CompletableFuture<RateLimitDecision> taken,
      Function<RateLimitDecision, T> made,
      Consumer<T> unclaimed) {
    CompletableFuture<T> result = new CompletableFuture<>();
    var unused =
        taken.whenComplete(
            (decision, failure) -> {
              if (failure != null) {
                result.completeExceptionally(failure);
                return;
              }
              try {
                T one = made.apply(decision);
                if (!result.complete(one)) {
                  unclaimed.accept(one);
                }
              } catch (LimitExceededException e) {
                result.completeExceptionally(e);
              }
            });
    var unusedCancellation =
        result.whenComplete(
            (one, failure) -> {
              if (result.isCancelled()) {
                taken.cancel(false);
              }
            });
    return result;
  }

  /**
   * Waits for a decision. An interrupted caller leaves the queue; if the decision was quicker than
   * the interrupt, the caller has it, and stays interrupted.
   */
  static <T> T await(CompletableFuture<T> future) throws InterruptedException {
    try {
      return future.get();
    } catch (InterruptedException e) {
      if (future.cancel(false)) {
        throw e;
      }
      Thread.currentThread().interrupt();
      return future.join();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new IllegalStateException(e.getCause());
    }
  }

  static long nanos(Duration duration) {
    try {
      return Math.max(0, duration.toNanos());
    } catch (ArithmeticException e) {
      return TimeUnit.DAYS.toNanos(36_500);
    }
  }
}
