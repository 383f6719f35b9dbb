package dev.weir.spring.method.call;

import dev.weir.spring.method.RateLimitedException;
import dev.weir.spring.method.expression.MethodCall;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** Methods whose work is over when they return. Thread-safe. */
final class BlockingStyle implements CallStyle {
  @Override
  public @Nullable Object call(MethodLimit limit, MethodCall call, CallBody body) throws Throwable {
    Held held;
    try {
      held = NonBlockingThreads.isCurrent() ? takeAtOnce(limit, call) : limit.take(call);
    } catch (RateLimitedException e) {
      Fallback fallback = limit.fallback();
      if (fallback == null) {
        throw e;
      }
      return fallback.run(call, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (CancellationException)
          new CancellationException("interrupted while waiting for permits").initCause(e);
    }
    try {
      Object result = body.run();
      if (limit.isHeld()) {
        requireFinished(call, result);
      }
      return result;
    } finally {
      held.release();
    }
  }

  /** What a method returns may be known only now, as that of one that returns an Object. */
  private static void requireFinished(MethodCall call, @Nullable Object result) {
    Class<?> unfinished = Unfinished.in(result);
    if (unfinished != null) {
      throw new IllegalStateException(
          call.name()
              + ": @ConcurrencyLimited: returns "
              + unfinished.getName()
              + " (expected: "
              + Unfinished.EXPECTED
              + ")");
    }
  }

  /** An event loop must not wait: not for a shared store, and not for permits. */
  private static Held takeAtOnce(MethodLimit limit, MethodCall call) {
    CompletableFuture<Held> taken = limit.takeAsync(call);
    if (!taken.isDone()) {
      PendingGrant.release(taken);
      throw new IllegalStateException(
          call.name()
              + ": called on "
              + Thread.currentThread().getName()
              + ", which must not wait for permits (expected: a thread that may block, or a method"
              + " that returns a Mono, a Flux or a CompletionStage)");
    }
    try {
      return taken.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    }
  }
}
