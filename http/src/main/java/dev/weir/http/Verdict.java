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
  private final int price;

  private Verdict(
      @Nullable String[] claims,
      @Nullable Event failure,
      @Nullable KeySet keys,
      long deadAtMillis,
      int price) {
    this.claims = claims;
    this.failure = failure;
    this.keys = keys;
    this.deadAtMillis = deadAtMillis;
    this.price = price;
  }

  static Verdict valid(@Nullable String[] claims, KeySet keys, long deadAtMillis) {
    return new Verdict(claims, null, keys, deadAtMillis, 0);
  }

  static Verdict invalid(Event failure, int claims, KeySet keys, long deadAtMillis) {
    return new Verdict(new String[claims], failure, keys, deadAtMillis, 1);
  }

  /** There is no token, or none that could be verified: all claims are absent. */
  static Verdict absent(Event failure, int claims) {
    return new Verdict(new String[claims], failure, null, Long.MIN_VALUE, 0);
  }

  /**
   * The token may be good, to the application at least, but there was no way or no room to find
   * out: all claims are {@linkplain Descriptor#UNUSABLE of no use}. Were they absent, a caller with
   * a good token could shake off what the rules say about it, by spoiling it or by taking up the
   * room.
   */
  static Verdict unverified(Event failure, int claims) {
    @Nullable String[] values = new String[claims];
    Arrays.fill(values, Descriptor.UNUSABLE);
    return new Verdict(values, failure, null, Long.MIN_VALUE, 0);
  }

  /** The values of the claims asked for. Not to be changed. */
  @Nullable String[] claims() {
    return claims;
  }

  /** What is wrong with the token; null if nothing is. */
  @Nullable Event failure() {
    return failure;
  }

  /** The same, to which it took so many keys. */
  Verdict with(int candidates) {
    return new Verdict(claims, failure, keys, deadAtMillis, Math.max(price, candidates));
  }

  /**
   * What the verification costs who sent the token: as much as keys had to be tried, if anybody
   * could have made it up, since no signature of it was found good, or have kept it, since it is
   * late.
   */
  int price() {
    if (failure == null) {
      return 0;
    }
    return switch (failure) {
      case JWT_NO_EXPIRY, JWT_NOT_YET_VALID, JWT_WRONG_ISSUER, JWT_WRONG_AUDIENCE -> 0;
      default -> price;
    };
  }

  /** Whether it still holds: not past its time, and not by keys that have been replaced. */
  @SuppressWarnings("ReferenceEquality") // keys that changed are a new set
  boolean holds(KeySet current, long nowMillis) {
    return keys == current && nowMillis < deadAtMillis;
  }
}
