package dev.weir.http;

import dev.weir.http.HttpMeters.Event;
import org.jspecify.annotations.Nullable;

/** What became of a token, for as long as it may be remembered. */
final class Verdict {
  private final @Nullable String[] claims;
  private final @Nullable Event failure;
  private final KeySet keys;
  private final long deadAtMillis;

  private Verdict(
      @Nullable String[] claims, @Nullable Event failure, KeySet keys, long deadAtMillis) {
    this.claims = claims;
    this.failure = failure;
    this.keys = keys;
    this.deadAtMillis = deadAtMillis;
  }

  static Verdict valid(@Nullable String[] claims, KeySet keys, long deadAtMillis) {
    return new Verdict(claims, null, keys, deadAtMillis);
  }

  static Verdict invalid(Event failure, int claims, KeySet keys, long deadAtMillis) {
    return new Verdict(new String[claims], failure, keys, deadAtMillis);
  }

  /**
   * The values of the claims asked for; all absent if the token is not valid. Not to be changed.
   */
  @Nullable String[] claims() {
    return claims;
  }

  /** What is wrong with the token; null if nothing is. */
  @Nullable Event failure() {
    return failure;
  }

  /** Whether it still holds: not past its time, and not by keys that have been replaced. */
  @SuppressWarnings("ReferenceEquality") // keys that changed are a new set
  boolean holds(KeySet current, long nowMillis) {
    return keys == current && nowMillis < deadAtMillis;
  }
}
