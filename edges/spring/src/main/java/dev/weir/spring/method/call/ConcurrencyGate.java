package dev.weir.spring.method.call;

import dev.weir.library.ConcurrencyLimiter;
import dev.weir.library.LimitExceededException;
import dev.weir.library.Permit;
import dev.weir.spring.method.RateLimitedException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Takes permits that are held while a call runs, and renews them meanwhile. Thread-safe. */
final class ConcurrencyGate implements Gate {
  private final String method;
  private final Duration wait;
  private final Supplier<ConcurrencyLimiter> limiter;

  ConcurrencyGate(String method, Duration wait, Supplier<ConcurrencyLimiter> limiter) {
    this.method = method;
    this.wait = wait;
    this.limiter = limiter;
  }

  @Override
  public void open() {
    var unused = limiter.get();
  }

  @Override
  public Held take(String key, long cost) throws InterruptedException {
    ConcurrencyLimiter asked = limiter.get();
    try {
      return held(wait.isZero() ? asked.enter(key) : asked.enter(key, wait));
    } catch (LimitExceededException e) {
      throw new RateLimitedException(method, e.denial(), 0);
    }
  }

  @Override
  public CompletableFuture<Held> takeAsync(String key, long cost) {
    ConcurrencyLimiter asked = limiter.get();
    CompletableFuture<Permit> entered =
        wait.isZero() ? asked.enterAsync(key) : asked.enterAsync(key, wait);
    return PendingGrant.of(method, entered, ConcurrencyGate::held, permit -> Duration.ZERO);
  }

  private static Held held(Permit permit) {
    return permit.autoRenew()::close;
  }
}
