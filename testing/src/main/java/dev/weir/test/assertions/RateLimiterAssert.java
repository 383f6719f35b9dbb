package dev.weir.test.assertions;

import dev.weir.library.RateLimitDecision;
import dev.weir.library.RateLimiter;
import java.util.Objects;
import org.assertj.core.api.AbstractAssert;

/**
 * Assertions about what a limiter admits, each of which throws an {@link AssertionError} that
 * describes the decision. They spend permits, as requests do. For one thread.
 */
public final class RateLimiterAssert extends AbstractAssert<RateLimiterAssert, RateLimiter> {
  RateLimiterAssert(RateLimiter limiter) {
    super(limiter, RateLimiterAssert.class);
  }

  /** So many requests for a key may pass now, one after the other. */
  public RateLimiterAssert admits(int requests, String key) {
    for (int i = 1; i <= requests; i++) {
      RateLimitDecision decision = limiter().tryAcquire(key);
      if (!decision.allowed()) {
        throw failure(
            "%nExpected limiter \"%s\" to admit %s requests of \"%s\"%n but request %s was: %s",
            limiter().name(), requests, key, i, DecisionAssert.describe(decision));
      }
    }
    return this;
  }

  /** A request for a key may not pass now. */
  public RateLimiterAssert denies(String key) {
    RateLimitDecision decision = limiter().tryAcquire(key);
    if (decision.allowed()) {
      throw failure(
          "%nExpected limiter \"%s\" to deny a request of \"%s\"%n but it was: %s",
          limiter().name(), key, DecisionAssert.describe(decision));
    }
    return this;
  }

  /** {@link #denies}, to be read after {@link #admits}. */
  public RateLimiterAssert thenDenies(String key) {
    return denies(key);
  }

  private RateLimiter limiter() {
    isNotNull();
    return Objects.requireNonNull(actual);
  }
}
