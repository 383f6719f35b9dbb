package dev.weir.spring.method.call;

import dev.weir.library.RateLimitDecision;
import dev.weir.library.RateLimiter;
import dev.weir.spring.method.RateLimitedException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Takes permits that are spent. Thread-safe. */
final class RateGate implements Gate {
  private final String method;
  private final Duration wait;
  private final Supplier<RateLimiter> limiter;

  RateGate(String method, Duration wait, Supplier<RateLimiter> limiter) {
    this.method = method;
    this.wait = wait;
    this.limiter = limiter;
  }

  @Override
  public void open() {
    var unused = limiter.get();
  }

  private RateLimiter at(long cost) {
    return cost == 1 ? limiter.get() : limiter.get().cost(cost);
  }

  @Override
  public Held take(String key, long cost) throws InterruptedException {
    RateLimiter asked = at(cost);
    RateLimitDecision decision = wait.isZero() ? asked.tryAcquire(key) : asked.acquire(key, wait);
    requireAllowed(decision);
    if (!decision.delay().isZero()) {
      TimeUnit.NANOSECONDS.sleep(decision.delay().toNanos());
    }
    return Held.NOTHING;
  }

  @Override
  public CompletableFuture<Held> takeAsync(String key, long cost) {
    RateLimiter asked = at(cost);
    return PendingGrant.of(
        method,
        wait.isZero() ? asked.tryAcquireAsync(key) : asked.acquireAsync(key, wait),
        decision -> {
          requireAllowed(decision);
          return Held.NOTHING;
        },
        RateLimitDecision::delay);
  }

  private void requireAllowed(RateLimitDecision decision) {
    if (decision.denial().isPresent()) {
      throw new RateLimitedException(method, decision.denial().get(), decision.remaining());
    }
  }
}
