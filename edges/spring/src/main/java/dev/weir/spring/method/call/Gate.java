package dev.weir.spring.method.call;

import dev.weir.spring.method.RateLimitedException;
import java.util.concurrent.CompletableFuture;

/**
 * Takes what one annotation asks for. Thread-safe.
 *
 * <p>Both methods deny with a {@link RateLimitedException}.
 */
interface Gate {
  /** Looks for the limits, so that a wrong name is found before the first call. */
  void open();

  /** Takes permits, and waits for them on this thread. */
  Held take(String key, long cost) throws InterruptedException;

  /** Takes permits without blocking. If the future is cancelled, what is granted is given back. */
  CompletableFuture<Held> takeAsync(String key, long cost);
}
