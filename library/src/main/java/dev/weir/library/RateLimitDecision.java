package dev.weir.library;

import dev.weir.Decision;
import dev.weir.Decision.Basis;
import dev.weir.Decision.Verdict;
import dev.weir.rule.FailureMode;
import dev.weir.rule.Rule;
import dev.weir.rule.book.Charge;
import dev.weir.rule.book.Match;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The answer to a request. Immutable. */
public final class RateLimitDecision {
  private final @Nullable Decision decision;
  private final @Nullable Denial denial;

  private RateLimitDecision(@Nullable Decision decision, @Nullable Denial denial) {
    this.decision = decision;
    this.denial = denial;
  }

  static RateLimitDecision of(Match match, Decision decision) {
    return new RateLimitDecision(decision, decision.allowed() ? null : denial(match, decision));
  }

  /** The store did not answer, and one of the charges denies then. */
  static RateLimitDecision unavailable(Match match) {
    String name =
        match.charges().stream()
            .filter(charge -> charge.failureMode() == FailureMode.DENY)
            .findFirst()
            .map(charge -> charge.rule().name())
            .orElse("");
    Denial denial =
        new Denial(name, Optional.empty(), Denial.Reason.STORE_UNAVAILABLE, Optional.empty());
    return new RateLimitDecision(null, denial);
  }

  /** The caller's time was over before it was its turn, while others waited before it. */
  static RateLimitDecision queued(Match match) {
    Optional<Charge> charge = match.charges().stream().findFirst();
    Denial denial =
        new Denial(
            charge.map(one -> one.rule().name()).orElse(""),
            charge.map(one -> one.policy().limit()),
            Denial.Reason.LIMIT_REACHED,
            Optional.empty());
    return new RateLimitDecision(null, denial);
  }

  private static Denial denial(Match match, Decision decision) {
    Optional<Rule> blockedBy = match.blockedBy();
    if (blockedBy.isPresent()) {
      return new Denial(
          blockedBy.get().name(), Optional.empty(), Denial.Reason.BLOCKED, Optional.empty());
    }
    Charge charge = match.decisiveCharge(decision).orElseThrow();
    Denial.Reason reason =
        decision.verdict() == Verdict.NEVER
            ? Denial.Reason.COST_ABOVE_LIMIT
            : Denial.Reason.LIMIT_REACHED;
    return new Denial(
        charge.rule().name(), Optional.of(charge.policy().limit()), reason, decision.retryAfter());
  }

  /** The decision on all limits; there is one if the request is allowed. */
  Decision whole() {
    return Objects.requireNonNull(decision);
  }

  /** Whether the request may pass. */
  public boolean allowed() {
    return denial == null;
  }

  /** Permits that are left; of several limits, of the one with the least. */
  public long remaining() {
    return decision == null ? 0 : decision.remaining();
  }

  /** When a denied request may pass; empty if it is allowed, or if waiting does not help. */
  public Optional<Duration> retryAfter() {
    return decision == null ? Optional.empty() : decision.retryAfter();
  }

  /** When the limit is as if never used, if nothing else comes. */
  public Duration resetAfter() {
    return decision == null ? Duration.ZERO : decision.resetAfter();
  }

  /** How long a leaky bucket holds the request before it may pass; zero for other limits. */
  public Duration delay() {
    return decision == null ? Duration.ZERO : decision.delay();
  }

  /** Why the request was denied; empty if it is allowed. */
  public Optional<Denial> denial() {
    return Optional.ofNullable(denial);
  }

  /** Whether it was decided without the store, because the store did not answer. */
  public boolean degraded() {
    if (decision == null) {
      return denial != null && denial.reason() == Denial.Reason.STORE_UNAVAILABLE;
    }
    return decision.basis().compareTo(Basis.LOCAL) >= 0;
  }

  /** The decisions on each limit, in the order of the limits. */
  public List<Decision> each() {
    return decision == null ? List.of() : decision.each();
  }

  @Override
  public String toString() {
    return denial == null ? String.valueOf(decision) : "denied by " + denial.name();
  }
}
