package dev.weir.http.jwt;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.weir.LimitKey;
import dev.weir.key.KeySpace;
import org.jspecify.annotations.Nullable;

/**
 * Caches the results of verified tokens. Thread-safe.
 *
 * <p>Results are stored under a hash of the token with a random secret key, never under the token.
 * Accepted and rejected tokens are stored separately, so that a flood of forged tokens cannot evict
 * honest ones.
 */
final class TokenCache {
  private static final int MAX_ACCEPTED = 10_000;
  private static final int MAX_REJECTED = 1_000;

  private final KeySpace hash = KeySpace.random();
  private final Cache<LimitKey, VerifiedToken> accepted = cache(MAX_ACCEPTED);
  private final Cache<LimitKey, VerifiedToken> rejected = cache(MAX_REJECTED);

  private static Cache<LimitKey, VerifiedToken> cache(int maxSize) {
    return Caffeine.newBuilder().maximumSize(maxSize).executor(Runnable::run).build();
  }

  /** The key of a token in this cache. */
  LimitKey key(String token) {
    return hash.key(token);
  }

  /** The result for a token, if it is there and still holds for the current keys; else null. */
  @Nullable VerifiedToken get(LimitKey key, KeySet keys, long nowMillis) {
    VerifiedToken result = accepted.getIfPresent(key);
    if (result == null) {
      result = rejected.getIfPresent(key);
    }
    return result == null || !result.isCurrent(keys, nowMillis) ? null : result;
  }

  /** Whether the last result for a token accepted it, even if that no longer holds. */
  boolean wasAccepted(LimitKey key) {
    return accepted.getIfPresent(key) != null;
  }

  void put(LimitKey key, VerifiedToken result) {
    if (result.failure() == null) {
      accepted.put(key, result);
    } else {
      accepted.invalidate(key);
      rejected.put(key, result);
    }
  }
}
