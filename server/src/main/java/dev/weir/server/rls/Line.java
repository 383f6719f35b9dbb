package dev.weir.server.rls;

import dev.weir.Algorithm;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Decision.Basis;
import dev.weir.Limit;
import dev.weir.rule.Rule;
import dev.weir.rule.Rule.WhenStoreFails;
import dev.weir.server.rls.RlsWatcher.Outcome;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One limit that applies to a descriptor, and what became of it. Written by whoever brings the
 * store's answer, and read once all answers are there.
 */
final class Line {
  private static final long SECOND_MICROS = 1_000_000;

  final Terms terms;

  /** What is asked of the store; null if nothing may pass, and nobody need be asked. */
  final @Nullable Claim claim;

  /** Whether it is {@linkplain RlsCounters counted without end}, and judged here. */
  final boolean tallied;

  /** How much may be counted in a window, or at once. */
  private long most;

  /** Which of our own rules it is of, if it is of one. */
  final @Nullable Rule rule;

  private Outcome outcome = Outcome.WITHIN;
  private long remaining;
  private long counted;
  private long resetMicros;
  private boolean known;
  private boolean lookOnly;
  private boolean remembered;
  private @Nullable WhenStoreFails without;

  private Line(
      Terms terms, @Nullable Claim claim, boolean tallied, long most, @Nullable Rule rule) {
    this.terms = terms;
    this.claim = claim;
    this.tallied = tallied;
    this.most = most;
    this.rule = rule;
  }

  /** Counts whatever comes; above {@code most} it is too much. */
  static Line tallied(Terms terms, Claim claim, long most) {
    return new Line(terms, claim, true, most, null);
  }

  /** Counts what there is room for. */
  static Line strict(Terms terms, Claim claim, @Nullable Rule rule) {
    return new Line(terms, claim, false, claim.limit().capacity(), rule);
  }

  /** Nothing may pass, though something may be given back. */
  static Line blocked(Terms terms, boolean refund, long resetMicros, @Nullable Rule rule) {
    Line line = new Line(terms, null, false, 0, rule);
    line.resetMicros = resetMicros;
    line.outcome = refund ? Outcome.WITHIN : line.denial();
    return line;
  }

  long most() {
    return most;
  }

  /** What is asked, where something is. */
  Claim claim() {
    return Objects.requireNonNull(claim);
  }

  /** The store does not answer, and this server keeps to its part. */
  void keepTo(long part) {
    most = part;
  }

  boolean isBlocked() {
    return claim == null;
  }

  /** Whether it costs nothing, and only wants to know. */
  boolean isLook() {
    return claim != null && claim.cost() == 0;
  }

  /** Notes what the store says. */
  void settle(Decision decision, Call.Way way, long nowMicros) {
    without = decision.basis() == Basis.ALONE ? WhenStoreFails.LOCAL : null;
    remembered = decision.basis() == Basis.REMEMBERED;
    boolean over;
    Duration reset = decision.resetAfter();
    if (tallied) {
      counted = RlsCounters.MOST - decision.remaining();
      over = way != Call.Way.REFUND && counted > most;
      remaining = Math.max(0, most - counted);
    } else {
      over = way.isJudged() && !decision.allowed();
      remaining = over ? 0 : decision.remaining();
      counted = most - remaining;
      reset = over ? decision.retryAfter().orElse(reset) : reset;
    }
    outcome = over ? denial() : Outcome.WITHIN;
    resetMicros = reset.isZero() ? untilEnd(nowMicros) : reset.toNanos() / 1_000;
  }

  /** Of a window in which nothing is counted the store does not say when it ends. */
  private long untilEnd(long nowMicros) {
    Limit limit = claim == null ? null : claim.limit();
    return limit == null || limit.algorithm() != Algorithm.FIXED_WINDOW
        ? 0
        : limit.windowEndMicros(limit.windowStartMicros(nowMicros)) - nowMicros;
  }

  /** It is known already that there is no room, and until when; nothing is charged. */
  void exceeded(long forMicros) {
    outcome = denial();
    remaining = 0;
    resetMicros = forMicros;
    known = true;
  }

  /** Whether too much is counted, be it that nobody is denied for it. */
  boolean isExceeded() {
    return tallied && (outcome == Outcome.OVER || outcome == Outcome.SHADOW_OVER);
  }

  /** The store does not answer, and it passes uncounted. */
  void pass() {
    without = WhenStoreFails.ALLOW;
    outcome = Outcome.UNCOUNTED;
    remaining = most;
  }

  /** The store does not answer, and it may not pass uncounted. */
  void refuse() {
    without = WhenStoreFails.DENY;
    outcome = terms.shadow() ? Outcome.UNCOUNTED : Outcome.UNANSWERED;
    remaining = 0;
  }

  /** What was done because the store did not answer, if it did not. */
  @Nullable WhenStoreFails without() {
    return without;
  }

  /** From now on it is only looked at, and not charged with the others of its request. */
  void lookOnly() {
    lookOnly = true;
  }

  boolean isLookOnly() {
    return lookOnly;
  }

  /** Whether it lets nothing more pass, be it that nobody is denied for it. */
  boolean lacksRoom() {
    return outcome == Outcome.OVER
        || outcome == Outcome.SHADOW_OVER
        || outcome == Outcome.UNANSWERED;
  }

  /** Whether nobody has looked: it is remembered that another limit of the request has no room. */
  boolean isUnknown() {
    return remembered && !lacksRoom();
  }

  /** Whether the store did not answer, and nobody counted instead. */
  boolean isDecidedWithoutStore() {
    return without == WhenStoreFails.ALLOW || without == WhenStoreFails.DENY;
  }

  private Outcome denial() {
    return terms.shadow() ? Outcome.SHADOW_OVER : Outcome.OVER;
  }

  Outcome outcome() {
    return outcome;
  }

  /** What watchers are told; a denial that is not counted stands on top of the limit. */
  RlsWatcher.Told told(long hits) {
    boolean denied = outcome == Outcome.OVER || outcome == Outcome.SHADOW_OVER;
    long all = denied && (!tallied || known) ? most + hits : counted;
    return new RlsWatcher.Told(outcome, hits, most, all, known);
  }

  /** Whether the descriptor is denied by it. */
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

  /** Whether clients are to be told of this one rather than of another. */
  boolean outranks(Line other) {
    if (isOver() != other.isOver()) {
      return isOver();
    }
    if (isOver() && terms.priority() != other.terms.priority()) {
      return terms.priority() > other.terms.priority();
    }
    return remaining < other.remaining;
  }
}
