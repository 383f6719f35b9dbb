package dev.weir.http;

import dev.weir.Descriptor;
import dev.weir.http.HttpMeters.Event;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** What became of a token, for as long as it may be remembered. */
final class Verdict {
  private final @Nullable String[] claims;
  private final @Nullable Event failure;
  private final @Nullable KeySet keys;
  private final long deadAtMillis;

  private Verdict(
      @Nullable String[] claims,
      @Nullable Event failure,
      @Nullable KeySet keys,
      long deadAtMillis) {
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

  /** There is no token, or none that could be verified: all claims are absent. */
  static Verdict absent(Event failure, int claims) {
    return new Verdict(new String[claims], failure, null, Long.MIN_VALUE);
  }

  /**
   * The token may be good, but there was no room to find out: all claims are {@linkplain
   * Descriptor#UNUSABLE of no use}. Were they absent, a caller with a good token could shake off
   * what the rules say about it by taking up the room.
   */
  static Verdict unverified(Event failure, int claims) {
    @Nullable String[] values = new String[claims];
    Arrays.fill(values, Descriptor.UNUSABLE);
    return new Verdict(values, failure, null, Long.MIN_VALUE);
  }

  /** The values of the claims asked for. Not to be changed. */
  @Nullable String[] claims() {
    return claims;
  }

  /** What is wrong with the token; null if nothing is. */
  @Nullable Event failure() {
    return failure;
  }

  /** Whether anybody could have made the token up: no signature of it was found good. */
  boolean isForged() {
    return failure != null
        && switch (failure) {
          case JWT_EXPIRED,
              JWT_NO_EXPIRY,
              JWT_NOT_YET_VALID,
              JWT_WRONG_ISSUER,
              JWT_WRONG_AUDIENCE ->
              false;
          default -> true;
        };
  }

  /** Whether it still holds: not past its time, and not by keys that have been replaced. */
  @SuppressWarnings("ReferenceEquality") // keys that changed are a new set
  boolean holds(KeySet current, long nowMillis) {
    return keys == current && nowMillis < deadAtMillis;
  }
}
