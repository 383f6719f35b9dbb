package dev.weir.http.jwt;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.crypto.factories.DefaultJWSVerifierFactory;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.weir.http.HttpMeters.Event;
import java.nio.charset.StandardCharsets;
import java.security.Key;
import java.text.ParseException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Verifies tokens. Stateless and thread-safe: time and keys are arguments.
 *
 * <p>Nothing in a token is trusted before its signature is verified, except the names of key and
 * algorithm, which only choose among those that the settings allow.
 */
final class JwtVerifier {
  /** How long an accepted token is cached at most, whatever its {@code exp}. */
  private static final long VALID_MILLIS = Duration.ofMinutes(5).toMillis();

  private static final long INVALID_MILLIS = Duration.ofSeconds(10).toMillis();

  private static final int WARM_UP_ROUNDS = 20;

  /** For an RSA key of 2048 bits. Other keys reject the length, but late enough to warm up. */
  private static final int SIGNATURE_BYTES = 256;

  private static final Map<String, Integer> EC_SIGNATURE_BYTES =
      Map.of("ES256", 64, "ES384", 96, "ES512", 132);

  private final JwtSettings settings;
  private final List<String> claims;
  private final long skewMillis;
  private final DefaultJWSVerifierFactory verifiers = new DefaultJWSVerifierFactory();

  JwtVerifier(JwtSettings settings, List<String> claims) {
    this.settings = settings;
    this.claims = claims;
    this.skewMillis = settings.clockSkew().toMillis();
  }

  /**
   * Verifies signature, times, issuer and audience. Never throws.
   *
   * @param token a text that {@linkplain TokenText#SIGNED has the form} of a signed token
   */
  VerifiedToken verify(String token, KeySet keys, long nowMillis) {
    try {
      SignedJWT signed = SignedJWT.parse(token);
      if (!settings.algorithms().contains(signed.getHeader().getAlgorithm().getName())) {
        return invalid(Event.JWT_WRONG_ALGORITHM, keys, nowMillis + INVALID_MILLIS);
      }
      List<Key> candidates = keys.candidates(signed.getHeader());
      Event problem = signatureProblem(signed, candidates);
      VerifiedToken result =
          problem == null
              ? checkClaims(signed, keys, nowMillis)
              : invalid(problem, keys, nowMillis + INVALID_MILLIS);
      return result.withCandidates(candidates.size());
    } catch (ParseException | RuntimeException malformed) {
      return invalid(Event.JWT_MALFORMED, keys, nowMillis + INVALID_MILLIS);
    }
  }

  /** Loads the code that verifies tokens, by running it on invalid ones. */
  void warmUp(KeySet keys) {
    byte[] signature = new byte[SIGNATURE_BYTES];
    Arrays.fill(signature, (byte) 1); // zeros would be rejected at once
    Base64.Encoder base64 = Base64.getUrlEncoder().withoutPadding();
    for (String algorithm : settings.algorithms()) {
      int length = EC_SIGNATURE_BYTES.getOrDefault(algorithm, SIGNATURE_BYTES);
      String header = "{\"alg\":\"" + algorithm + "\"}";
      String token =
          base64.encodeToString(header.getBytes(StandardCharsets.US_ASCII))
              + ".e30."
              + base64.encodeToString(Arrays.copyOf(signature, length));
      for (int i = 0; i < WARM_UP_ROUNDS; i++) {
        verify(token, keys, 0);
      }
    }
  }

  private @Nullable Event signatureProblem(SignedJWT token, List<Key> candidates) {
    for (Key key : candidates) {
      if (isSignedWith(key, token)) {
        return null;
      }
    }
    return candidates.isEmpty() ? Event.JWT_UNKNOWN_KEY : Event.JWT_BAD_SIGNATURE;
  }

  private boolean isSignedWith(Key key, SignedJWT token) {
    try {
      return token.verify(verifiers.createJWSVerifier(token.getHeader(), key));
    } catch (JOSEException mismatch) {
      return false;
    }
  }

  /** Checks times, issuer and audience of a token with a good signature. */
  private VerifiedToken checkClaims(SignedJWT token, KeySet keys, long nowMillis)
      throws ParseException {
    JWTClaimsSet registered = token.getJWTClaimsSet();
    Long expires = millis(registered.getExpirationTime());
    Long notBefore = millis(registered.getNotBeforeTime());
    long soon = nowMillis + INVALID_MILLIS;
    if (expires == null && settings.requireExpiry()) {
      return invalid(Event.JWT_NO_EXPIRY, keys, soon);
    }
    if (expires != null && nowMillis - skewMillis >= expires) {
      return invalid(Event.JWT_EXPIRED, keys, soon);
    }
    if (notBefore != null && nowMillis + skewMillis < notBefore) {
      long until = Math.min(soon, notBefore - skewMillis);
      return invalid(Event.JWT_NOT_YET_VALID, keys, until);
    }
    if (settings.issuer() != null && !settings.issuer().equals(registered.getIssuer())) {
      return invalid(Event.JWT_WRONG_ISSUER, keys, soon);
    }
    if (settings.audience() != null && !registered.getAudience().contains(settings.audience())) {
      return invalid(Event.JWT_WRONG_AUDIENCE, keys, soon);
    }
    long latest = nowMillis + VALID_MILLIS;
    long until = expires == null ? latest : Math.min(expires, latest);
    return VerifiedToken.valid(values(token.getPayload().toJSONObject()), keys, until + skewMillis);
  }

  private static @Nullable Long millis(@Nullable Date date) {
    return date == null ? null : date.toInstant().toEpochMilli();
  }

  private VerifiedToken invalid(Event failure, KeySet keys, long cacheUntilMillis) {
    return VerifiedToken.invalid(failure, claims.size(), keys, cacheUntilMillis);
  }

  private @Nullable String[] values(Map<String, Object> payload) {
    @Nullable String[] values = new String[claims.size()];
    for (int i = 0; i < values.length; i++) {
      Object value = find(payload, claims.get(i));
      boolean simple =
          value instanceof String || value instanceof Number || value instanceof Boolean;
      String text = simple ? String.valueOf(value).trim() : "";
      values[i] = text.isEmpty() ? null : text;
    }
    return values;
  }

  /**
   * The claim of exactly this name, or else the one at the path that the dots of the name spell.
   */
  private static @Nullable Object find(Map<?, ?> object, String name) {
    Object value = object.get(name);
    if (value != null) {
      return value;
    }
    int dot = name.indexOf('.');
    return dot > 0 && object.get(name.substring(0, dot)) instanceof Map<?, ?> inner
        ? find(inner, name.substring(dot + 1))
        : null;
  }
}
