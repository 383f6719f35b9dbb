package dev.weir.http.jwt;

import dev.weir.Descriptor;
import dev.weir.http.HttpMeters.Event;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The result for a token: its claims, or why it was not accepted. Immutable. */
public final class VerifiedToken {
  private final @Nullable String[] claims;
  private final @Nullable Event failure;
  private final @Nullable KeySet keys;
  private final long cacheUntilMillis;
  private final int cost;

  private VerifiedToken(
      @Nullable String[] claims,
      @Nullable Event failure,
      @Nullable KeySet keys,
      long cacheUntilMillis,
      int cost) {
    this.claims = claims;
    this.failure = failure;
    this.keys = keys;
    this.cacheUntilMillis = cacheUntilMillis;
    this.cost = cost;
  }

  static VerifiedToken valid(@Nullable String[] claims, KeySet keys, long cacheUntilMillis) {
    return new VerifiedToken(claims, null, keys, cacheUntilMillis, 0);
  }

  static VerifiedToken invalid(Event failure, int claims, KeySet keys, long cacheUntilMillis) {
    return new VerifiedToken(new String[claims], failure, keys, cacheUntilMillis, 1);
  }

  /** The request has no token, or one that cannot be verified: all claims are absent. */
  static VerifiedToken absent(Event failure, int claims) {
    return new VerifiedToken(new String[claims], failure, null, Long.MIN_VALUE, 0);
  }

  /**
   * The token may be good, at least to the application, but was not verified: all claims are {@link
   * Descriptor#UNUSABLE}. If they were absent, a caller with a good token could evade the rules on
   * its claims by spoiling the token or by filling the queue.
   */
  static VerifiedToken unusable(Event failure, int claims) {
    @Nullable String[] values = new String[claims];
    Arrays.fill(values, Descriptor.UNUSABLE);
    return new VerifiedToken(values, failure, null, Long.MIN_VALUE, 0);
  }

  /** The values of the configured claims, in their order. Callers must not change the array. */
  public @Nullable String[] claims() {
    return claims;
  }

  /** Why the token was not accepted; null if it was. */
  @Nullable Event failure() {
    return failure;
  }

  /** A copy of this result that records how many keys were candidates. */
  VerifiedToken withCandidates(int candidates) {
    return new VerifiedToken(claims, failure, keys, cacheUntilMillis, Math.max(cost, candidates));
  }

  /**
   * What the verification costs of the failure budget of the client: the number of keys that were
   * tried, if any client could have forged the token (no signature verified) or kept it (it is
   * expired); otherwise nothing.
   */
  int cost() {
    if (failure == null) {
      return 0;
    }
    return switch (failure) {
      case JWT_NO_EXPIRY, JWT_NOT_YET_VALID, JWT_WRONG_ISSUER, JWT_WRONG_AUDIENCE -> 0;
      default -> cost;
    };
  }

  /** Whether a cached result still holds: not past its time, and verified with the current keys. */
  @SuppressWarnings("ReferenceEquality") // changed keys are a new set
  boolean isCurrent(KeySet current, long nowMillis) {
    return keys == current && nowMillis < cacheUntilMillis;
  }
}
