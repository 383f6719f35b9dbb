package dev.weir.test.assertions;

import dev.weir.library.Denial;
import dev.weir.library.RateLimitDecision;
import java.time.Duration;
import java.util.Objects;
import org.assertj.core.api.AbstractAssert;

/**
 * Assertions about a decision, each of which throws an {@link AssertionError} that describes the
 * decision. For one thread.
 */
public final class DecisionAssert extends AbstractAssert<DecisionAssert, RateLimitDecision> {
  DecisionAssert(RateLimitDecision decision) {
    super(decision, DecisionAssert.class);
  }

  /** The request may pass. */
  public DecisionAssert isAllowed() {
    return check(decision().allowed(), "allowed");
  }

  /** The request may not pass. */
  public DecisionAssert isDenied() {
    return check(!decision().allowed(), "denied");
  }

  /** The limiter or the rule of this name denied the request. */
  public DecisionAssert isDeniedBy(String name) {
    boolean expected = decision().denial().map(Denial::name).filter(name::equals).isPresent();
    return check(expected, "denied by \"" + name + "\"");
  }

  /** The request was denied for this reason. */
  public DecisionAssert isDeniedBecause(Denial.Reason reason) {
    boolean expected = decision().denial().filter(one -> one.reason() == reason).isPresent();
    return check(expected, "denied because of " + reason);
  }

  /** So many permits are left. */
  public DecisionAssert hasRemaining(long permits) {
    return check(decision().remaining() == permits, permits + " remaining");
  }

  /** The request was denied, and a retry may pass after exactly this time. */
  public DecisionAssert retriesAfter(Duration time) {
    boolean expected = decision().retryAfter().filter(time::equals).isPresent();
    return check(expected, "denied, retry after " + time);
  }

  /** The request may pass after a delay of exactly this time, by a leaky bucket. */
  public DecisionAssert isDelayedBy(Duration time) {
    boolean expected = decision().allowed() && decision().delay().equals(time);
    return check(expected, "allowed, delayed by " + time);
  }

  /** It was decided without the store, because the store did not answer. */
  public DecisionAssert isDegraded() {
    return check(decision().degraded(), "degraded");
  }

  /** The store decided. */
  public DecisionAssert isNotDegraded() {
    return check(!decision().degraded(), "not degraded");
  }

  private RateLimitDecision decision() {
    isNotNull();
    return Objects.requireNonNull(actual);
  }

  private DecisionAssert check(boolean expected, String expectation) {
    if (!expected) {
      throw failure("%nExpected decision: %s%n but was: %s", expectation, describe(actual));
    }
    return this;
  }

  /** A decision as failures describe it. */
  static String describe(RateLimitDecision decision) {
    StringBuilder text = new StringBuilder();
    decision
        .denial()
        .ifPresentOrElse(
            denial -> describe(text, denial),
            () -> text.append("allowed, ").append(decision.remaining()).append(" remaining"));
    if (!decision.delay().isZero()) {
      text.append(", delayed by ").append(decision.delay());
    }
    return text.append(decision.degraded() ? ", degraded" : "").toString();
  }

  private static void describe(StringBuilder text, Denial denial) {
    text.append("denied by \"").append(denial.name()).append("\" (").append(denial.reason());
    denial.limit().ifPresent(limit -> text.append(", ").append(limit));
    text.append(')');
    denial.retryAfter().ifPresent(time -> text.append(", retry after ").append(time));
  }
}
