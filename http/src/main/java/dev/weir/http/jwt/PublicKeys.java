package dev.weir.http.jwt;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.jwk.AsymmetricJWK;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKMatcher;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyType;
import java.nio.charset.StandardCharsets;
import java.security.Key;
import java.text.ParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The public keys of a JWKS.
 *
 * <p>Secret keys in the JWKS are ignored, and so are RSA keys of less than 2048 bits. Two sets are
 * equal if they have the same keys.
 */
record PublicKeys(List<Map.Entry<JWK, Key>> keys) implements KeySet {
  /** The size of the largest JWKS that is read. */
  static final int MAX_BYTES = 262_144;

  /** How many keys are tried at most on a token that does not name its key. */
  private static final int MAX_CANDIDATES = 16;

  private static final int MIN_RSA_BITS = 2048;

  /**
   * Parses a JWKS.
   *
   * @throws ParseException if the bytes are no JWKS, or it has no usable key
   */
  static PublicKeys parse(byte[] jwks) throws ParseException {
    List<Map.Entry<JWK, Key>> keys = new ArrayList<>();
    for (JWK jwk : JWKSet.parse(new String(jwks, StandardCharsets.UTF_8)).getKeys()) {
      boolean weak = KeyType.RSA.equals(jwk.getKeyType()) && jwk.size() < MIN_RSA_BITS;
      boolean usable = KeyType.RSA.equals(jwk.getKeyType()) || KeyType.EC.equals(jwk.getKeyType());
      if (usable && !weak && jwk instanceof AsymmetricJWK pair) {
        try {
          keys.add(Map.entry(jwk.toPublicJWK(), pair.toPublicKey()));
        } catch (JOSEException unsupported) {
          // The JDK does not support this curve; another key may fit.
        }
      }
    }
    if (keys.isEmpty()) {
      throw new ParseException("no RSA or EC key", 0);
    }
    return new PublicKeys(List.copyOf(keys));
  }

  @Override
  public List<Key> candidates(JWSHeader header) {
    JWKMatcher matcher = JWKMatcher.forJWSHeader(header);
    if (matcher == null) {
      return List.of();
    }
    List<Key> candidates = new ArrayList<>();
    for (Map.Entry<JWK, Key> entry : keys) {
      if (candidates.size() < MAX_CANDIDATES && matcher.matches(entry.getKey())) {
        candidates.add(entry.getValue());
      }
    }
    return candidates;
  }
}
