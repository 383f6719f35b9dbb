package dev.weir.spring.method.call;

import dev.weir.library.LimitExceededException;
import dev.weir.spring.method.RateLimitedException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a call is about to hold. If it is cancelled before it is granted, so is the request for it,
 * and what is granted all the same is given back. Thread-safe.
 */
final class PendingGrant extends CompletableFuture<Held> {
  private final String method;

  private PendingGrant(String method) {
    this.method = method;
  }

  /**
   * A grant that follows from what a limiter answers.
   *
   * @param granted what is held then; it may throw a {@link RateLimitedException}
   * @param delay how long the call is delayed
   */
  static <T> CompletableFuture<Held> of(
      String method,
      CompletableFuture<T> answer,
      Function<T, Held> granted,
      Function<T, Duration> delay) {
    PendingGrant pending = new PendingGrant(method);
    var unused =
        answer.whenComplete(
            (one, failure) -> {
              if (failure != null) {
                pending.fail(failure);
              } else {
                pending.grant(one, granted, delay);
              }
            });
    var unusedCancellation =
        pending.whenComplete(
            (held, failure) -> {
              if (pending.isCancelled()) {
                answer.cancel(false);
              }
            });
    return pending;
  }

  private <T> void grant(T one, Function<T, Held> granted, Function<T, Duration> delay) {
    Held held;
    try {
      held = granted.apply(one);
    } catch (RuntimeException e) {
      completeExceptionally(e);
      return;
    }
    long nanos = delay.apply(one).toNanos();
    if (nanos == 0) {
      hand(held);
    } else {
      delayedExecutor(nanos, TimeUnit.NANOSECONDS).execute(() -> hand(held));
    }
  }

  private void hand(Held held) {
    if (!complete(held)) {
      held.release();
    }
  }

  private void fail(Throwable failure) {
    Throwable cause = unwrapped(failure);
    completeExceptionally(
        cause instanceof LimitExceededException denied
            ? new RateLimitedException(method, denied.denial(), 0)
            : cause);
  }

  private static Throwable unwrapped(Throwable failure) {
    @Nullable Throwable cause = failure.getCause();
    return failure instanceof CompletionException && cause != null ? cause : failure;
  }

  /** Gives back what is granted, or will be; a second time, nothing happens. */
  static void release(CompletableFuture<Held> taken) {
    if (!taken.cancel(false) && !taken.isCompletedExceptionally()) {
      taken.join().release();
    }
  }
}
