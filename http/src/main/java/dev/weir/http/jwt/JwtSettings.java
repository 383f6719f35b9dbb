package dev.weir.http.jwt;

import dev.weir.internal.Rejections;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Which tokens are accepted. Immutable.
 *
 * @param token where a request carries its token
 * @param keys the keys that verify its signature
 * @param algorithms the allowed signature algorithms; all must fit the keys, so that no client can
 *     pass off a public key as a shared secret
 * @param issuer the required {@code iss}; null for any issuer that has the key
 * @param audience the required {@code aud}; null for any
 * @param clockSkew how long a token is still accepted after its {@code exp}, and already before its
 *     {@code nbf}; at most ten minutes
 * @param requireExpiry whether a token must have {@code exp}: a stolen token without one is valid
 *     forever
 */
public record JwtSettings(
    TokenLocation token,
    JwtKeys keys,
    Set<String> algorithms,
    @Nullable String issuer,
    @Nullable String audience,
    Duration clockSkew,
    boolean requireExpiry) {

  static final Set<String> ASYMMETRIC =
      Set.of("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512");

  private static final Duration MAX_SKEW = Duration.ofMinutes(10);

  /** Rejects values out of range with {@link IllegalArgumentException}. */
  public JwtSettings {
    algorithms = Set.copyOf(algorithms);
    Set<String> possible = keys.algorithms();
    for (String algorithm : algorithms) {
      if (!possible.contains(algorithm)) {
        String expected = "with " + keys + ": one of " + new TreeSet<>(possible);
        throw Rejections.of("algorithms", algorithm, expected);
      }
    }
    if (algorithms.isEmpty()) {
      throw Rejections.of("algorithms", algorithms, "at least one");
    }
    if (clockSkew.isNegative() || clockSkew.compareTo(MAX_SKEW) > 0) {
      throw Rejections.of("clockSkew", clockSkew, "between 0 and " + MAX_SKEW);
    }
  }

  /**
   * Settings for a bearer token with {@code exp}, signed with any algorithm that fits the keys, and
   * with 30 seconds of clock skew.
   */
  public static JwtSettings of(JwtKeys keys) {
    return new JwtSettings(
        TokenLocation.BEARER, keys, keys.algorithms(), null, null, Duration.ofSeconds(30), true);
  }

  /** A copy with another token location. */
  public JwtSettings withToken(TokenLocation location) {
    return new JwtSettings(location, keys, algorithms, issuer, audience, clockSkew, requireExpiry);
  }

  /** A copy with other algorithms. */
  public JwtSettings withAlgorithms(Set<String> allowed) {
    return new JwtSettings(token, keys, allowed, issuer, audience, clockSkew, requireExpiry);
  }

  /** A copy with another required issuer. */
  public JwtSettings withIssuer(@Nullable String required) {
    return new JwtSettings(token, keys, algorithms, required, audience, clockSkew, requireExpiry);
  }

  /** A copy with another required audience. */
  public JwtSettings withAudience(@Nullable String required) {
    return new JwtSettings(token, keys, algorithms, issuer, required, clockSkew, requireExpiry);
  }

  /** A copy with another clock skew. */
  public JwtSettings withClockSkew(Duration skew) {
    return new JwtSettings(token, keys, algorithms, issuer, audience, skew, requireExpiry);
  }

  /** A copy that requires {@code exp} or does not. */
  public JwtSettings withRequireExpiry(boolean required) {
    return new JwtSettings(token, keys, algorithms, issuer, audience, clockSkew, required);
  }
}
