package dev.weir.server;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Random;

/** Tokens valid for an hour, signed with real keys, and forged ones. */
final class TestTokens {
  private final ECKey ec;
  private final RSAKey rsa;
  private final Date end;
  private final Random random = new Random(18);
  private final String forgeable;

  TestTokens(Instant now) {
    try {
      this.ec = new ECKeyGenerator(Curve.P_256).keyID("ec").generate();
      this.rsa = new RSAKeyGenerator(2048).keyID("rsa").generate();
    } catch (JOSEException e) {
      throw new AssertionError(e);
    }
    this.end = Date.from(now.plusSeconds(3_600));
    String token = es256("root");
    this.forgeable = token.substring(0, token.lastIndexOf('.') + 1);
  }

  /** The public keys. */
  String jwks() {
    return new JWKSet(List.of(ec, rsa)).toString(true);
  }

  String es256(String subject) {
    try {
      return signed(new ECDSASigner(ec), ec.getKeyID(), JWSAlgorithm.ES256, subject);
    } catch (JOSEException e) {
      throw new AssertionError(e);
    }
  }

  String rs256(String subject) {
    try {
      return signed(new RSASSASigner(rsa), rsa.getKeyID(), JWSAlgorithm.RS256, subject);
    } catch (JOSEException e) {
      throw new AssertionError(e);
    }
  }

  private String signed(JWSSigner signer, String key, JWSAlgorithm algorithm, String subject)
      throws JOSEException {
    JWTClaimsSet claims =
        new JWTClaimsSet.Builder()
            .subject(subject)
            .claim("plan", "free")
            .expirationTime(end)
            .build();
    SignedJWT token = new SignedJWT(new JWSHeader.Builder(algorithm).keyID(key).build(), claims);
    token.sign(signer);
    return token.serialize();
  }

  /** A forged token: valid but for the signature, and different each time. */
  String forged() {
    byte[] signature = new byte[64];
    random.nextBytes(signature);
    signature[0] &=
        0x7f; // within the order of the curve, so that it is not rejected without verification
    signature[32] &= 0x7f;
    return forgeable + Base64.getUrlEncoder().withoutPadding().encodeToString(signature);
  }
}
