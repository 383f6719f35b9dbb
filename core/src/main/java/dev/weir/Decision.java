package dev.weir;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A store's answer: whether the request may pass, how many permits remain, and when to retry.
 *
 * <p>A decision on several claims reports the numbers of the decisive one: the denied claim with
 * the longest wait, or, when all are granted, the claim with the fewest permits left. {@link
 * #each()} has the decision on each claim.
 *
 * <p>Decisions are immutable and safe for use by any number of threads.
 */
public final class Decision implements Answer {

  /** Allowed, denied for now, or never possible. */
  public enum Verdict {
    /** There is room. Whether it was taken depends on the operation and on the other claims. */
    ALLOWED,
    /** There is no room now; {@link Decision#retryAfter()} says when. */
    DENIED,
    /** The cost is above the capacity of the limit: waiting does not help. */
    NEVER
  }

  /** Where the decision was counted, from the most to the least reliable. */
  public enum Basis {
    /** The store. */
    COUNTED,
    /** This server, from permits it had leased in advance. */
    LEASED,
    /** This server's cache of recent denials by the store. */
    CACHED,
    /** This server's local fallback, because the store did not answer. */
    LOCAL,
    /** Not counted, because the store did not answer. */
    UNCOUNTED
  }

  // A decision is one object of 48 bytes; one more field would make it 56. So the remaining permits
  // and the debt share a number, and the decisive claim is computed on demand.
  private final Verdict verdict;
  private final Basis basis;
  private final @Nullable List<Decision> each;

  /** Permits left; below zero, the debt. */
  private final long left;

  private final long waitMicros;
  private final long resetAfterMicros;

  private Decision(
      Verdict verdict,
      long left,
      long waitMicros,
      long resetAfterMicros,
      Basis basis,
      @Nullable List<Decision> each) {
    this.verdict = verdict;
    this.basis = basis;
    this.left = left;
    this.waitMicros = waitMicros;
    this.resetAfterMicros = resetAfterMicros;
    this.each = each;
  }

  /**
   * The decision on one claim.
   *
   * @param left whole permits left; below zero, how many the counter is in {@link #debt()}
   * @param waitMicros the delay if allowed, the time until a retry can succeed if denied
   */
  public static Decision of(Verdict verdict, long left, long waitMicros, long resetAfterMicros) {
    return new Decision(verdict, left, waitMicros, resetAfterMicros, Basis.COUNTED, null);
  }

  /** The decision that one claim may pass at once. */
  public static Decision allowed(long remaining, long resetAfterMicros, Basis basis) {
    return new Decision(Verdict.ALLOWED, remaining, 0, resetAfterMicros, basis, null);
  }

  /** The decision on a caller who may never pass; it has no claims. */
  public static Decision blocked() {
    return new Decision(Verdict.NEVER, 0, 0, 0, Basis.COUNTED, List.of());
  }

  /** The decision on several claims, from the decisions on each, in the order of the claims. */
  public static Decision of(List<Decision> each) {
    if (each.size() == 1) {
      return each.get(0);
    }
    if (each.isEmpty()) {
      return new Decision(Verdict.ALLOWED, Long.MAX_VALUE, 0, 0, Basis.COUNTED, List.of());
    }
    long delayMicros = 0;
    Basis basis = Basis.COUNTED;
    for (int i = 0; i < each.size(); i++) {
      delayMicros = Math.max(delayMicros, each.get(i).waitMicros);
      basis = each.get(i).basis.compareTo(basis) > 0 ? each.get(i).basis : basis;
    }
    Decision main = each.get(decisive(each));
    long waitMicros = main.allowed() ? delayMicros : main.waitMicros;
    return new Decision(main.verdict, main.left, waitMicros, main.resetAfterMicros, basis, each);
  }

  private static int decisive(List<Decision> each) {
    int decisive = 0;
    for (int i = 1; i < each.size(); i++) {
      if (each.get(i).outranks(each.get(decisive))) {
        decisive = i;
      }
    }
    return decisive;
  }

  private boolean outranks(Decision other) {
    if (verdict != other.verdict) {
      return verdict.compareTo(other.verdict) > 0;
    }
    return switch (verdict) {
      case ALLOWED -> left < other.left;
      case DENIED -> waitMicros > other.waitMicros;
      case NEVER -> false;
    };
  }

  /**
   * This verdict on a claim with the remaining permits and reset time of {@code current}: for
   * operations that spend nothing.
   */
  public Decision withRemainingOf(Decision current) {
    return of(verdict, current.left, waitMicros, current.resetAfterMicros).withBasis(basis);
  }

  /** This decision with another {@link #basis()}. */
  public Decision withBasis(Basis other) {
    return new Decision(verdict, left, waitMicros, resetAfterMicros, other, each);
  }

  /** This decision on a claim as of {@code micros} later: its waits are shorter by as much. */
  public Decision agedBy(long micros) {
    long wait = Math.max(verdict == Verdict.DENIED ? 1 : 0, waitMicros - micros);
    long reset = Math.max(0, resetAfterMicros - micros);
    return new Decision(verdict, left, wait, reset, basis, each);
  }

  /** Where the decision was counted; of several claims, the least reliable. */
  public Basis basis() {
    return basis;
  }

  /** Whether the request may pass, must wait, or can never pass. */
  public Verdict verdict() {
    return verdict;
  }

  /** Whether the request may pass, now or after {@link #delay()}. */
  public boolean allowed() {
    return verdict == Verdict.ALLOWED;
  }

  /** Whole permits left on the decisive claim; 0 where its counter is in {@link #debt()}. */
  public long remaining() {
    return Math.max(0, left);
  }

  /**
   * How many permits the decisive claim's counter is beyond its limit, rounded up to whole permits;
   * 0 if it is not. A {@link Store#charge} of more than remains leaves such a debt, and so does
   * lowering a limit below what was spent. Requests are denied until enough time has passed to
   * cover the debt. A bucket's debt is at most the permits of {@link Limit#MAX_DEBT_WINDOWS}
   * windows; the debt of other counters ends with their windows.
   */
  public long debt() {
    return Math.max(0, -left);
  }

  /**
   * How long to wait before a retry: at that moment the same claims succeed if no other caller has
   * spent permits. Empty when allowed, and when no wait can help. For a concurrency limit it is a
   * hint of at most a second: it cannot be known beforehand when a holder will release its permit.
   */
  public Optional<Duration> retryAfter() {
    return verdict == Verdict.DENIED ? Optional.of(micros(waitMicros)) : Optional.empty();
  }

  /** How long an allowed request must be delayed; zero except for a leaky bucket. */
  public Duration delay() {
    return allowed() ? micros(waitMicros) : Duration.ZERO;
  }

  /** How long until the decisive claim's counter is as if never used. */
  public Duration resetAfter() {
    return micros(resetAfterMicros);
  }

  /**
   * The index of the decisive claim: the one that denied, or has the fewest permits left. Empty if
   * there were no claims: no rule applied, or the caller is blocked.
   */
  public OptionalInt decisive() {
    if (each == null) {
      return OptionalInt.of(0);
    }
    return each.isEmpty() ? OptionalInt.empty() : OptionalInt.of(decisive(each));
  }

  /** The decision on each claim, in the order of the claims. */
  public List<Decision> each() {
    return each == null ? List.of(this) : each;
  }

  @Override
  public Decision join() {
    return this;
  }

  @Override
  public CompletionStage<Decision> stage() {
    return CompletableFuture.completedStage(this);
  }

  private static Duration micros(long micros) {
    return Duration.ofSeconds(micros / 1_000_000, micros % 1_000_000 * 1_000);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Decision that
        && verdict == that.verdict
        && basis == that.basis
        && left == that.left
        && waitMicros == that.waitMicros
        && resetAfterMicros == that.resetAfterMicros
        && (each == null ? that.each == null : each.equals(that.each));
  }

  @Override
  public int hashCode() {
    return Long.hashCode(31 * (31 * left + waitMicros) + resetAfterMicros) + verdict.hashCode();
  }

  @Override
  public String toString() {
    String wait =
        switch (verdict) {
          case ALLOWED -> waitMicros == 0 ? "" : " after " + delay();
          case DENIED -> " for " + micros(waitMicros);
          case NEVER -> "";
        };
    String balance = left < 0 ? debt() + " in debt" : left + " left";
    String claim =
        each == null || each.isEmpty() ? "" : ", claim " + decisive(each) + " of " + each.size();
    return verdict + wait + ", " + balance + ", full in " + resetAfter() + claim;
  }
}
