package dev.weir.server.telemetry;

import dev.weir.Decision;
import dev.weir.limiter.Degradation;
import dev.weir.rule.FailureMode;
import dev.weir.rule.Rule;
import dev.weir.rule.book.Charge;
import dev.weir.rule.book.Match;
import dev.weir.server.reply.DegradedDecision;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What became of one request, and by which rule. It names no caller: only the hash of one.
 * Immutable.
 *
 * @param outcome in a word: {@code allowed}, {@code denied}, …
 * @param rule that decided; null if none applied
 * @param caller the hash of whom the rule counts, if it counts
 * @param remaining permits of the deciding limit, if there is one
 * @param retryMillis how long to wait before a retry, if that helps
 * @param degraded the failure mode that decided, if the store did not answer; else null
 */
public record Decided(
    String outcome,
    @Nullable String rule,
    OptionalLong caller,
    OptionalLong remaining,
    OptionalLong retryMillis,
    @Nullable String degraded) {
  /** The request passes. */
  public static final String ALLOWED = "allowed";

  /** A limit has no room. */
  public static final String DENIED = "denied";

  /** A rule never lets the caller pass. */
  public static final String BLOCKED = "blocked";

  /** The store did not answer, and a rule denies without it. */
  public static final String UNANSWERED = "unanswered";

  /** It would be denied if limits were enforced. */
  public static final String SHADOWED = "shadow-denied";

  /** It gives way to others, because there is too much load. */
  public static final String SHED = "shed";

  /** It was malformed or not permitted. */
  public static final String REFUSED = "refused";

  /** The server failed. */
  public static final String FAILED = "failed";

  /** The client left before there was an answer. */
  public static final String CLIENT_GONE = "client-gone";

  /** A request that gave way. */
  public static final Decided SHED_REQUEST = without(SHED);

  /** An outcome without a rule. */
  public static Decided without(String outcome) {
    return new Decided(
        outcome, null, OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty(), null);
  }

  /** The decision on a match. */
  static Decided of(Match match, Decision decision) {
    Optional<Charge> charge = match.decisiveCharge(decision);
    boolean blocked = match.blockedBy().isPresent();
    return new Decided(
        decision.allowed() ? ALLOWED : blocked ? BLOCKED : DENIED,
        match.decisiveRule(decision).map(Rule::name).orElse(null),
        caller(charge),
        charge.isPresent() ? OptionalLong.of(decision.remaining()) : OptionalLong.empty(),
        decision.retryAfter().map(Decided::ceilMillis).orElse(OptionalLong.empty()),
        Degradation.failureMode(decision).map(DegradedDecision::label).orElse(null));
  }

  /** The store did not answer, and the first rule of the match that denies without it decided. */
  static Decided unanswered(Match match) {
    Optional<Charge> charge =
        match.charges().stream().filter(one -> one.failureMode() == FailureMode.DENY).findFirst();
    return new Decided(
        UNANSWERED,
        charge.map(one -> one.rule().name()).orElse(null),
        caller(charge),
        OptionalLong.empty(),
        OptionalLong.empty(),
        DegradedDecision.label(FailureMode.DENY));
  }

  private static OptionalLong ceilMillis(Duration wait) {
    return OptionalLong.of((wait.toNanos() + 999_999) / 1_000_000);
  }

  private static OptionalLong caller(Optional<Charge> charge) {
    return charge.isPresent()
        ? OptionalLong.of(charge.get().claim().key().high())
        : OptionalLong.empty();
  }

  /** Whether a rule turned the request away. */
  boolean isDenial() {
    return outcome.equals(DENIED) || outcome.equals(BLOCKED) || outcome.equals(UNANSWERED);
  }
}
