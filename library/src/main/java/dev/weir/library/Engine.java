package dev.weir.library;

import dev.weir.Answer;
import dev.weir.Decision;
import dev.weir.StoreFailure;
import dev.weir.async.Continuations;
import dev.weir.async.Scheduler;
import dev.weir.key.KeySpace;
import dev.weir.limiter.Limiter;
import dev.weir.rule.book.Match;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What all limiters of one {@link Weir} share. */
record Engine(Limiter limiter, KeySpace keys, Scheduler scheduler, Executor executor) {

  /** Decides, and waits for the store. */
  RateLimitDecision take(Match match) {
    Answer answer = limiter.take(match);
    if (answer instanceof Decision decision) {
      return RateLimitDecision.of(match, decision);
    }
    try {
      return RateLimitDecision.of(match, answer.join());
    } catch (StoreFailure e) {
      return RateLimitDecision.unavailable(match);
    }
  }

  /**
   * Decides without waiting. The stage is the caller's own: if it is cancelled before the decision
   * is there, what is granted is given back.
   */
  CompletableFuture<RateLimitDecision> takeAsync(Match match) {
    Answer answer = limiter.take(match);
    if (answer instanceof Decision decision) {
      return CompletableFuture.completedFuture(RateLimitDecision.of(match, decision));
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

  private void deliver(
      CompletableFuture<RateLimitDecision> result,
      Match match,
      @Nullable Decision decision,
      @Nullable Throwable failure) {
    if (decision != null) {
      boolean delivered = result.complete(RateLimitDecision.of(match, decision));
      if (!delivered && decision.allowed()) {
        var unused = limiter.refund(match);
      }
    } else if (failure != null && StoreFailure.cause(failure) instanceof StoreFailure) {
      result.complete(RateLimitDecision.unavailable(match));
    } else {
      result.completeExceptionally(
          failure == null ? new IllegalStateException("no decision") : StoreFailure.cause(failure));
    }
  }

  /** Waits for a decision; an interrupted caller leaves the queue. */
  static <T> T await(CompletableFuture<T> future) throws InterruptedException {
    try {
      return future.get();
    } catch (InterruptedException e) {
      future.cancel(false);
      throw e;
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
