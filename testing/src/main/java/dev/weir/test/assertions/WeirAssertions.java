package dev.weir.test.assertions;

import dev.weir.library.ConcurrencyLimiter;
import dev.weir.library.RateLimitDecision;
import dev.weir.library.RateLimiter;
import org.assertj.core.annotation.CheckReturnValue;

/** Begins assertions about limiters and their decisions; import it statically. */
@CheckReturnValue
public final class WeirAssertions {
  private WeirAssertions() {}

  /** Begins assertions about a decision. */
  public static DecisionAssert assertThat(RateLimitDecision decision) {
    return new DecisionAssert(decision);
  }

  /** Begins assertions about what a limiter admits; they spend its permits. */
  public static RateLimiterAssert assertThat(RateLimiter limiter) {
    return new RateLimiterAssert(limiter);
  }

  /** Begins assertions about how many a limiter admits at a time. */
  public static ConcurrencyLimiterAssert assertThat(ConcurrencyLimiter limiter) {
    return new ConcurrencyLimiterAssert(limiter);
  }
}
