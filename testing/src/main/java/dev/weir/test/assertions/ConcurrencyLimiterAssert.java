package dev.weir.test.assertions;

import dev.weir.library.ConcurrencyLimiter;
import dev.weir.library.Permit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.assertj.core.api.AbstractAssert;

/** Assertions about how many a limiter admits at a time. For one thread. */
public final class ConcurrencyLimiterAssert
    extends AbstractAssert<ConcurrencyLimiterAssert, ConcurrencyLimiter> {
  ConcurrencyLimiterAssert(ConcurrencyLimiter limiter) {
    super(limiter, ConcurrencyLimiterAssert.class);
  }

  /**
   * Exactly so many permits of a key are free now. They are taken for a moment; rates beside the
   * permits, if the limiter has any, stay charged.
   *
   * @throws AssertionError if there are fewer or more
   */
  public ConcurrencyLimiterAssert hasFree(int permits, String key) {
    isNotNull();
    ConcurrencyLimiter limiter = Objects.requireNonNull(actual);
    List<Permit> taken = new ArrayList<>();
    try {
      Optional<Permit> next = limiter.tryEnter(key);
      while (next.isPresent()) {
        taken.add(next.get());
        next = taken.size() > permits ? Optional.empty() : limiter.tryEnter(key);
      }
      if (taken.size() != permits) {
        String found = taken.size() > permits ? "more" : String.valueOf(taken.size());
        throw failure(
            "%nExpected limiter \"%s\" to have %s free permits of \"%s\"%n but it has: %s",
            limiter.name(), permits, key, found);
      }
    } finally {
      taken.forEach(Permit::close);
    }
    return this;
  }
}
