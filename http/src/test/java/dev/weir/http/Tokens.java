package dev.weir.http;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;

/** Keys and tokens signed with them. */
public final class Tokens {
  public static final byte[] SECRET =
      "a secret of forty-one bytes, for testing.".getBytes(StandardCharsets.UTF_8);
  public static final RSAKey RSA = rsa("rsa-1", 2048);
  public static final RSAKey OTHER_RSA = rsa("rsa-2", 2048);
  public static final ECKey EC = ec("ec-1");

  private Tokens() {}

  public static RSAKey rsa(String id, int bits) {
    try {
      return new RSAKeyGenerator(bits, true).keyID(id).generate();
    } catch (JOSEException e) {
      throw new AssertionError(e);
    }
  }

  public static ECKey ec(String id) {
    try {
      return new ECKeyGenerator(Curve.P_256).keyID(id).generate();
    } catch (JOSEException e) {
      throw new AssertionError(e);
    }
  }

  /** Claims of Ann that expire an hour after the start of a manual clock. */
  public static JWTClaimsSet.Builder ann() {
    return new JWTClaimsSet.Builder().subject("ann").expirationTime(in(Duration.ofHours(1)));
  }

  public static Date in(Duration time) {
    Instant then = ManualClock.START.plus(time);
    return Date.from(then);
  }

  public static String sign(byte[] secret, JWSAlgorithm algorithm, JWTClaimsSet claims) {
    try {
      return sign(new MACSigner(secret), new JWSHeader(algorithm), claims);
    } catch (JOSEException e) {
      throw new AssertionError(e);
    }
  }

  public static String sign(JWK key, JWSAlgorithm algorithm, JWTClaimsSet claims) {
    try {
      JWSSigner signer =
          key instanceof RSAKey rsa ? new RSASSASigner(rsa) : new ECDSASigner(key.toECKey());
      JWSHeader.Builder header = new JWSHeader.Builder(algorithm).type(JOSEObjectType.JWT);
      return sign(signer, header.keyID(key.getKeyID()).build(), claims);
    } catch (JOSEException e) {
      throw new AssertionError(e);
    }
  }

  public static String sign(JWSSigner signer, JWSHeader header, JWTClaimsSet claims)
      throws JOSEException {
    SignedJWT token = new SignedJWT(header, claims);
    token.sign(signer);
    return token.serialize();
  }

  /** A JWKS of the public keys. */
  public static String jwks(JWK... keys) {
    return new JWKSet(List.of(keys)).toString(true);
  }
}
