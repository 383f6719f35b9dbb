package dev.weir.http;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.weir.LimitKey;
import dev.weir.http.HttpMeters.Event;
import dev.weir.key.KeySpace;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tokens to claims, remembering what it has verified.
 *
 * <p>Verdicts are kept under a hash of the token whose key nobody knows, never under the token. The
 * good and the bad are kept apart, so that a flood of forged tokens cannot push out honest ones.
 */
final class JwtReader implements AutoCloseable {
  private static final int MOST_CHARS = 8192;
  private static final int MOST_VALID = 10_000;
  private static final int MOST_INVALID = 1_000;

  private final JwtSettings settings;
  private final KeySource source;
  private final List<String> claims;
  private final InstantSource clock;
  private final HttpMeters meters;
  private final JwtVerifier verifier;
  private final KeySpace hash = KeySpace.random();
  private final Cache<LimitKey, Verdict> valid = cache(MOST_VALID);
  private final Cache<LimitKey, Verdict> invalid = cache(MOST_INVALID);

  JwtReader(
      JwtSettings settings,
      KeySource source,
      List<String> claims,
      InstantSource clock,
      HttpMeters meters) {
    this.settings = settings;
    this.source = source;
    this.claims = claims;
    this.clock = clock;
    this.meters = meters;
    this.verifier = new JwtVerifier(settings, claims);
  }

  private static Cache<LimitKey, Verdict> cache(int most) {
    return Caffeine.newBuilder().maximumSize(most).executor(Runnable::run).build();
  }

  /** A reader by the same keys; it shares the memory if settings and claims are the same. */
  JwtReader with(JwtSettings others, List<String> otherClaims) {
    boolean same = others.equals(settings) && otherClaims.equals(claims);
    return same ? this : new JwtReader(others, source, otherClaims, clock, meters);
  }

  /** Whether its keys come from there. */
  boolean uses(JwtKeys keys) {
    return settings.keys().equals(keys);
  }

  boolean sharesKeysWith(@Nullable JwtReader other) {
    return other != null && other.source.equals(source);
  }

  boolean awaitKeys(Duration most) {
    return source.await(most);
  }

  TokenPlace place() {
    return settings.token();
  }

  /** The values of the claims, in their order; all absent if the token is not to be believed. */
  @Nullable String[] claims(@Nullable String token) {
    if (token == null || token.isEmpty()) {
      return absent(Event.JWT_MISSING);
    }
    if (token.length() > MOST_CHARS) {
      return absent(Event.JWT_OVERSIZED);
    }
    KeySet keys = source.current();
    if (keys == null) {
      source.refresh();
      return absent(Event.JWT_NO_KEYS);
    }
    Verdict verdict = verdict(token, keys);
    if (verdict.failure() != null) {
      meters.count(verdict.failure());
    }
    return verdict.claims();
  }

  private Verdict verdict(String token, KeySet keys) {
    long nowMillis = clock.millis();
    LimitKey key = hash.key(token);
    Verdict known = valid.getIfPresent(key);
    if (known == null) {
      known = invalid.getIfPresent(key);
    }
    if (known != null && known.holds(keys, nowMillis)) {
      meters.count(Event.JWT_CACHE_HIT);
      return known;
    }
    meters.count(Event.JWT_CACHE_MISS);
    Verdict verdict = verifier.verify(token, keys, nowMillis);
    if (verdict.failure() == null) {
      valid.put(key, verdict);
    } else {
      valid.invalidate(key);
      invalid.put(key, verdict);
    }
    if (verdict.failure() == Event.JWT_UNKNOWN_KEY) {
      source.refresh();
    }
    return verdict;
  }

  private @Nullable String[] absent(Event reason) {
    meters.count(reason);
    return new String[claims.size()];
  }

  @Override
  public void close() {
    source.close();
  }
}
