package dev.weir.library;

import dev.weir.Answer;
import dev.weir.Decision;
import dev.weir.StoreFailure;
import dev.weir.async.Continuations;
import dev.weir.library.web.Admission;
import dev.weir.library.web.HeldPermits;
import dev.weir.limiter.Limiter;
import dev.weir.rule.book.Match;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Takes what requests of this process need, and keeps their permits. Thread-safe. */
final class Admissions {
  private final Engine engine;
  private final Limiter limiter;
  private final HeldPermits permits;

  Admissions(Engine engine) {
    this.engine = engine;
    this.limiter = engine.limiter();
    this.permits = new HeldPermits(limiter, engine.scheduler());
  }

  /** Decides, and waits for the store. */
  Admission take(Match match) {
    engine.checkOpen();
    Answer answer = limiter.take(match);
    if (answer instanceof Decision decision) {
      return decided(match, decision);
    }
    try {
      return decided(match, answer.join());
    } catch (StoreFailure e) {
      return undecided(match, e);
    }
  }

  /** Decides without waiting; what a cancelled caller was granted is given back. */
  CompletableFuture<Admission> takeAsync(Match match, Executor continuations) {
    engine.checkOpen();
    Answer answer = limiter.take(match);
    if (answer instanceof Decision decision) {
      return CompletableFuture.completedFuture(decided(match, decision));
    }
    CompletableFuture<Admission> result = new CompletableFuture<>();
    var unused =
        answer
            .stage()
            .whenComplete(
                (decision, failure) ->
                    Continuations.run(
                        continuations, () -> deliver(result, match, decision, failure)));
    return result;
  }

  /** Decides without waiting, once it is known what to charge. */
  CompletableFuture<Admission> takeMatched(CompletionStage<Match> matched, Executor continuations) {
    CompletableFuture<Admission> result = new CompletableFuture<>();
    var unused =
        matched.whenComplete(
            (match, failure) ->
                // Not on the thread that verifies tokens, which the caller might block.
                Continuations.run(
                    continuations, () -> takeInto(result, match, failure, continuations)));
    return result;
  }

  private void takeInto(
      CompletableFuture<Admission> result,
      @Nullable Match match,
      @Nullable Throwable failure,
      Executor continuations) {
    if (result.isDone()) {
      return; // the caller has gone, and nothing was taken yet
    }
    if (match == null) {
      result.completeExceptionally(
          failure == null ? new IllegalStateException("no match") : StoreFailure.cause(failure));
      return;
    }
    try {
      var unused =
          takeAsync(match, continuations)
              .whenComplete(
                  (admission, unanswered) -> {
                    if (unanswered != null) {
                      result.completeExceptionally(StoreFailure.cause(unanswered));
                    } else if (!result.complete(admission)) {
                      admission.giveBack();
                    }
                  });
    } catch (RuntimeException | Error e) {
      result.completeExceptionally(e);
    }
  }

  /** Ends renewals; what is held can still be released. */
  void close() {
    permits.close();
  }

  private void deliver(
      CompletableFuture<Admission> result,
      Match match,
      @Nullable Decision decision,
      @Nullable Throwable failure) {
    if (decision != null) {
      Admission admission = decided(match, decision);
      if (!result.complete(admission)) {
        admission.giveBack();
      }
    } else if (failure != null && StoreFailure.cause(failure) instanceof StoreFailure known) {
      result.complete(undecided(match, known));
    } else {
      result.completeExceptionally(
          failure == null ? new IllegalStateException("no decision") : StoreFailure.cause(failure));
    }
  }

  private Admission decided(Match match, Decision decision) {
    engine.reportDegraded(decision);
    return Admission.of(match, decision, permits);
  }

  private Admission undecided(Match match, StoreFailure failure) {
    engine.reportUnanswered();
    return Admission.unavailable(match, failure);
  }
}
