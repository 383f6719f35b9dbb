package dev.weir.server.rls;

import dev.weir.Algorithm;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Decision.Basis;
import dev.weir.Limit;
import dev.weir.rule.FailureMode;
import dev.weir.rule.Rule;
import dev.weir.server.rls.RlsListener.Outcome;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One limit that applies to a descriptor, and its result. The thread that brings the store's answer
 * writes it; it is read once all answers are there.
 */
final class LimitCheck {
  private static final long SECOND_MICROS = 1_000_000;

  final LimitTerms terms;

  /** The claim on the store; null if nothing may pass, and no store need be called. */
  final @Nullable Claim claim;

  /**
   * Whether its counter is {@linkplain RlsCounters unbounded}, and compared with the limit here.
   */
  final boolean tallied;

  /** How much may be counted in a window, or at once. */
  private long max;

  /** The rule of ours that it belongs to; null if it is a limit of the domain or the client. */
  final @Nullable Rule rule;

  private Outcome outcome = Outcome.WITHIN;
  private long remaining;
  private long counted;
  private long resetMicros;
  private boolean overLimitCached;
  private boolean peekOnly;
  private boolean denialCached;
  private @Nullable FailureMode failureMode;

  private LimitCheck(
      LimitTerms terms, @Nullable Claim claim, boolean tallied, long max, @Nullable Rule rule) {
    this.terms = terms;
    this.claim = claim;
    this.tallied = tallied;
    this.max = max;
    this.rule = rule;
  }

  /** A limit that counts every request; above {@code max} it is over. */
  static LimitCheck tallied(LimitTerms terms, Claim claim, long max) {
    return new LimitCheck(terms, claim, true, max, null);
  }

  /** A limit that counts only what it has room for. */
  static LimitCheck strict(LimitTerms terms, Claim claim, @Nullable Rule rule) {
    return new LimitCheck(terms, claim, false, claim.limit().capacity(), rule);
  }

  /** A limit that nothing may pass, though a refund is accepted. */
  static LimitCheck blocked(
      LimitTerms terms, boolean refund, long resetMicros, @Nullable Rule rule) {
    LimitCheck check = new LimitCheck(terms, null, false, 0, rule);
    check.resetMicros = resetMicros;
    check.outcome = refund ? Outcome.WITHIN : check.denial();
    return check;
  }

  long max() {
    return max;
  }

  /** The claim of a limit that is not blocked. */
  Claim claim() {
    return Objects.requireNonNull(claim);
  }

  /** Reduces the limit to this server's part of it, while the store does not answer. */
  void reduceTo(long part) {
    max = part;
  }

  boolean isBlocked() {
    return claim == null;
  }

  /** Whether it costs nothing, and only reads the counter. */
  boolean isPeek() {
    return claim != null && claim.cost() == 0;
  }

  /** Records the store's answer. */
  void record(Decision decision, StoreCall.Kind kind, long nowMicros) {
    failureMode = decision.basis() == Basis.LOCAL ? FailureMode.LOCAL : null;
    denialCached = decision.basis() == Basis.CACHED;
    boolean over;
    Duration reset = decision.resetAfter();
    if (tallied) {
      counted = RlsCounters.UNREACHABLE - decision.remaining();
      over = kind != StoreCall.Kind.REFUND && counted > max;
      remaining = Math.max(0, max - counted);
    } else {
      over = kind.isDecisive() && !decision.allowed();
      remaining = over ? 0 : decision.remaining();
      counted = max - remaining;
      reset = over ? decision.retryAfter().orElse(reset) : reset;
    }
    outcome = over ? denial() : Outcome.WITHIN;
    resetMicros = reset.isZero() ? untilWindowEnd(nowMicros) : reset.toNanos() / 1_000;
  }

  /** The store does not report the end of a window in which nothing is counted. */
  private long untilWindowEnd(long nowMicros) {
    Limit limit = claim == null ? null : claim.limit();
    return limit == null || limit.algorithm() != Algorithm.FIXED_WINDOW
        ? 0
        : limit.windowEndMicros(limit.windowStartMicros(nowMicros)) - nowMicros;
  }

  /** Records that the counter is known to be over its limit for so long; nothing is charged. */
  void markOverLimit(long forMicros) {
    outcome = denial();
    remaining = 0;
    resetMicros = forMicros;
    overLimitCached = true;
  }

  /** Whether a tally counts more than its limit, in shadow mode too. */
  boolean isExceeded() {
    return tallied && (outcome == Outcome.OVER || outcome == Outcome.SHADOW_OVER);
  }

  /** The store does not answer, and the request passes uncounted. */
  void allowUncounted() {
    failureMode = FailureMode.ALLOW;
    outcome = Outcome.UNCOUNTED;
    remaining = max;
  }

  /** The store does not answer, and the request may not pass uncounted. */
  void denyUncounted() {
    failureMode = FailureMode.DENY;
    outcome = terms.shadow() ? Outcome.UNCOUNTED : Outcome.UNANSWERED;
    remaining = 0;
  }

  /** The failure mode that was applied; null if the store answered. */
  @Nullable FailureMode failureMode() {
    return failureMode;
  }

  /** From now on it is only peeked at, and not charged with the others of its request. */
  void peekOnly() {
    peekOnly = true;
  }

  boolean isPeekOnly() {
    return peekOnly;
  }

  /** Whether it lets nothing more pass, in shadow mode too. */
  boolean lacksRoom() {
    return outcome == Outcome.OVER
        || outcome == Outcome.SHADOW_OVER
        || outcome == Outcome.UNANSWERED;
  }

  /** Whether its counter was not read, because another limit of the call has a cached denial. */
  boolean isUnknown() {
    return denialCached && !lacksRoom();
  }

  /** Whether the store did not answer, and the request was not counted locally either. */
  boolean isDecidedWithoutStore() {
    return failureMode == FailureMode.ALLOW || failureMode == FailureMode.DENY;
  }

  private Outcome denial() {
    return terms.shadow() ? Outcome.SHADOW_OVER : Outcome.OVER;
  }

  Outcome outcome() {
    return outcome;
  }

  /** The report for listeners; hits that were denied uncounted are put on top of the limit. */
  RlsListener.LimitReport report(long hits) {
    boolean denied = outcome == Outcome.OVER || outcome == Outcome.SHADOW_OVER;
    long all = denied && (!tallied || overLimitCached) ? max + hits : counted;
    return new RlsListener.LimitReport(outcome, hits, max, all, overLimitCached);
  }

  /**
   * A hash of all that identifies the counter; 0 if nothing is counted.
   *
   * @param ofCaller whether that is the caller alone, so that it is the hash of the caller
   */
  long counterHash(boolean ofCaller) {
    if (claim == null) {
      return 0;
    }
    // The upper half of the key is that of its owner: the domain with the first entry.
    return ofCaller ? claim.key().high() : claim.key().low();
  }

  /** Whether it denies the descriptor. */
  boolean isOver() {
    return outcome == Outcome.OVER || outcome == Outcome.UNANSWERED;
  }

  long remaining() {
    return remaining;
  }

  long resetMicros() {
    return resetMicros;
  }

  long resetSeconds() {
    return (resetMicros + SECOND_MICROS - 1) / SECOND_MICROS;
  }

  /** Whether clients see this limit rather than another. */
  boolean outranks(LimitCheck other) {
    if (isOver() != other.isOver()) {
      return isOver();
    }
    if (isOver() && terms.priority() != other.terms.priority()) {
      return terms.priority() > other.terms.priority();
    }
    return remaining < other.remaining;
  }
}
