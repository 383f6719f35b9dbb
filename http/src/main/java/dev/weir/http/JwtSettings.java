package dev.weir.http;

import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Which tokens are believed.
 *
 * @param token where a request carries it
 * @param keys what it must be signed with
 * @param algorithms how it may be signed; only what fits the keys, so that nobody can pass off a
 *     public key as a shared secret
 * @param issuer who must have issued it; null for anyone who has the key
 * @param audience whom it must be meant for; null for anyone
 * @param clockSkew how long after its end, or before its beginning, it is still believed
 * @param requireExpiry whether it must say when it ends: one without an end is good for ever,
 *     whoever has got hold of it
 */
public record JwtSettings(
    TokenPlace token,
    JwtKeys keys,
    Set<String> algorithms,
    @Nullable String issuer,
    @Nullable String audience,
    Duration clockSkew,
    boolean requireExpiry) {

  static final Set<String> ASYMMETRIC =
      Set.of("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512");

  private static final Duration MAX_SKEW = Duration.ofMinutes(10);

  public JwtSettings {
    algorithms = Set.copyOf(algorithms);
    Set<String> possible = keys.algorithms();
    for (String algorithm : algorithms) {
      if (!possible.contains(algorithm)) {
        String expected = "with " + keys + ": one of " + new TreeSet<>(possible);
        throw Refusal.of("algorithms", algorithm, expected);
      }
    }
    if (algorithms.isEmpty()) {
      throw Refusal.of("algorithms", algorithms, "at least one");
    }
    if (clockSkew.isNegative() || clockSkew.compareTo(MAX_SKEW) > 0) {
      throw Refusal.of("clockSkew", clockSkew, "between 0 and " + MAX_SKEW);
    }
  }

  /**
   * A bearer token that expires, signed with these keys in any way that fits them; half a minute of
   * skew.
   */
  public static JwtSettings of(JwtKeys keys) {
    return new JwtSettings(
        TokenPlace.BEARER, keys, keys.algorithms(), null, null, Duration.ofSeconds(30), true);
  }

  public JwtSettings withToken(TokenPlace place) {
    return new JwtSettings(place, keys, algorithms, issuer, audience, clockSkew, requireExpiry);
  }

  public JwtSettings withAlgorithms(Set<String> allowed) {
    return new JwtSettings(token, keys, allowed, issuer, audience, clockSkew, requireExpiry);
  }

  public JwtSettings withIssuer(@Nullable String wanted) {
    return new JwtSettings(token, keys, algorithms, wanted, audience, clockSkew, requireExpiry);
  }

  public JwtSettings withAudience(@Nullable String wanted) {
    return new JwtSettings(token, keys, algorithms, issuer, wanted, clockSkew, requireExpiry);
  }

  public JwtSettings withClockSkew(Duration skew) {
    return new JwtSettings(token, keys, algorithms, issuer, audience, skew, requireExpiry);
  }

  public JwtSettings withRequireExpiry(boolean required) {
    return new JwtSettings(token, keys, algorithms, issuer, audience, clockSkew, required);
  }
}
