package dev.weir;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * What a store answered: may the request pass, what is left, and when to come back.
 *
 * <p>A decision on several claims speaks with the voice of the decisive one: the claim that denied
 * and asks for the longest wait, or, when all are granted, the one with the least left. {@link
 * #each()} has the rest.
 */
public final class Decision implements Answer {

  /** Yes, not now, or not ever. */
  public enum Verdict {
    /** There is room. Whether it was taken depends on what was asked, and on the other claims. */
    ALLOWED,
    /** Not now; {@link Decision#retryAfter()} says when. */
    DENIED,
    /** The cost is above what the limit can ever hold: waiting does not help. */
    NEVER
  }

  /** Who counted, from the most to the least reliable. */
  public enum Basis {
    /** The store. */
    COUNTED,
    /** This server, from permits it had taken in advance. */
    LEASED,
    /** This server remembers that the store denied the same a moment ago. */
    REMEMBERED,
    /** This server by itself, because the store did not answer. */
    ALONE,
    /** Nobody, because the store did not answer. */
    UNCOUNTED
  }

  // One decision is one object of 48 bytes, which one more field would make 56. So what is left and
  // what is owed share a number, and the decisive claim is looked up when somebody asks.
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
   * @param waitMicros the delay if allowed, the time until a retry succeeds if denied
   */
  public static Decision of(Verdict verdict, long left, long waitMicros, long resetAfterMicros) {
    return new Decision(verdict, left, waitMicros, resetAfterMicros, Basis.COUNTED, null);
  }

  /** The decision on one claim, that it may pass at once. */
  public static Decision allowed(long remaining, long resetAfterMicros, Basis basis) {
    return new Decision(Verdict.ALLOWED, remaining, 0, resetAfterMicros, basis, null);
  }

  /** The decision on a caller who may never pass: no claim was asked for, and none decided. */
  public static Decision blocked() {
    return new Decision(Verdict.NEVER, 0, 0, 0, Basis.COUNTED, List.of());
  }

  /** The decision on several claims, given the decision on each, in the order of the claims. */
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
    Decision voice = each.get(decisive(each));
    long waitMicros = voice.allowed() ? delayMicros : voice.waitMicros;
    return new Decision(voice.verdict, voice.left, waitMicros, voice.resetAfterMicros, basis, each);
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

  /** This verdict, with what remains told by {@code standing}: for a look, which spends nothing. */
  public Decision unspent(Decision standing) {
    return of(verdict, standing.left, waitMicros, standing.resetAfterMicros).on(basis);
  }

  /** The same on a claim, on another basis. */
  public Decision on(Basis other) {
    return new Decision(verdict, left, waitMicros, resetAfterMicros, other, each);
  }

  /** The same on a claim, told so much later: waits have become shorter. */
  public Decision later(long micros) {
    long wait = Math.max(verdict == Verdict.DENIED ? 1 : 0, waitMicros - micros);
    long reset = Math.max(0, resetAfterMicros - micros);
    return new Decision(verdict, left, wait, reset, basis, each);
  }

  /** Who counted; of several claims, the least reliable. */
  public Basis basis() {
    return basis;
  }

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
   * How many permits the decisive claim's counter is beyond its limit, rounded up to whole ones; 0
   * if it is not. {@link Store#charge} leaves such a debt where it charges more than there was, and
   * so does a limit that is lowered below what was spent. Nothing passes before time has paid it;
   * it is never more than a bucket's permits of {@link Limit#MAX_DEBT_WINDOWS} windows, and in
   * other counters it ends with their windows.
   */
  public long debt() {
    return Math.max(0, -left);
  }

  /**
   * How long to wait before asking again: at that moment the same claims succeed if nobody else
   * spent. Empty when allowed, and when no wait can help. For a concurrency limit it is a hint, of
   * a second at most: a permit is free when its holder releases it, which nobody knows beforehand.
   */
  public Optional<Duration> retryAfter() {
    return verdict == Verdict.DENIED ? Optional.of(micros(waitMicros)) : Optional.empty();
  }

  /** How long an allowed request must be held back; zero except behind a leaky bucket. */
  public Duration delay() {
    return allowed() ? micros(waitMicros) : Duration.ZERO;
  }

  /** How long until the decisive claim's counter is as if never used. */
  public Duration resetAfter() {
    return micros(resetAfterMicros);
  }

  /**
   * The index of the claim this decision speaks for: the one that denied, or has the least left.
   * Empty where no claim was asked for: no rule applied, or the caller is blocked.
   */
  public OptionalInt decisive() {
    if (each == null) {
      return OptionalInt.of(0);
    }
    return each.isEmpty() ? OptionalInt.empty() : OptionalInt.of(decisive(each));
  }

  /** The decision on each claim by itself, in the order of the claims. */
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
    String stands = left < 0 ? debt() + " in debt" : left + " left";
    String claim =
        each == null || each.isEmpty() ? "" : ", claim " + decisive(each) + " of " + each.size();
    return verdict + wait + ", " + stands + ", full in " + resetAfter() + claim;
  }
}
