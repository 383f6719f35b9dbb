package dev.weir.http.jwt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jwt.JWTClaimsSet;
import dev.weir.Descriptor;
import dev.weir.http.FakeRequest;
import dev.weir.http.HttpMeters.Event;
import dev.weir.http.ManualClock;
import dev.weir.http.Tokens;
import dev.weir.http.identity.HttpReader;
import dev.weir.http.identity.HttpSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tokens signed with a private key. */
class JwtPublicKeyTest {

  @Test
  void publicKeysVerifyRsaAndEllipticCurveSignatures(@TempDir Path folder) throws IOException {
    JwtSettings settings = JwtSettings.of(JwtKeys.file(jwks(folder, Tokens.RSA, Tokens.EC)));
    JWTClaimsSet claims = Tokens.ann().build();
    for (JWSAlgorithm algorithm : List.of(JWSAlgorithm.RS256, JWSAlgorithm.PS512)) {
      String token = Tokens.sign(Tokens.RSA, algorithm, claims);
      assertThat(read(settings, token).value(0)).isEqualTo("ann");
    }
    String es256 = Tokens.sign(Tokens.EC, JWSAlgorithm.ES256, claims);
    assertThat(read(settings, es256).value(0)).isEqualTo("ann");
    String unknown = Tokens.sign(Tokens.OTHER_RSA, JWSAlgorithm.RS256, claims);
    assertAbsent(settings, unknown, Event.JWT_UNKNOWN_KEY);
    String impostor =
        Tokens.sign(
            new RSAKey.Builder(Tokens.OTHER_RSA).keyID(Tokens.RSA.getKeyID()).build(),
            JWSAlgorithm.RS256,
            claims);
    assertAbsent(settings, impostor, Event.JWT_BAD_SIGNATURE);
  }

  @Test
  void thePublicKeyIsNoSharedSecret(@TempDir Path folder) throws Exception {
    Path file = jwks(folder, Tokens.RSA);
    byte[] pem =
        ("-----BEGIN PUBLIC KEY-----\n"
                + Base64.getMimeEncoder().encodeToString(Tokens.RSA.toPublicKey().getEncoded())
                + "\n-----END PUBLIC KEY-----\n")
            .getBytes(StandardCharsets.US_ASCII);
    for (byte[] key :
        List.of(
            Tokens.RSA.toPublicKey().getEncoded(),
            pem,
            Tokens.RSA.getModulus().decode(),
            Files.readAllBytes(file))) {
      JWSHeader header =
          new JWSHeader.Builder(JWSAlgorithm.HS256).keyID(Tokens.RSA.getKeyID()).build();
      String token = Tokens.sign(new MACSigner(key), header, Tokens.ann().build());
      assertAbsent(JwtSettings.of(JwtKeys.file(file)), token, Event.JWT_WRONG_ALGORITHM);
    }
    assertThatThrownBy(() -> JwtSettings.of(JwtKeys.file(file)).withAlgorithms(Set.of("HS256")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("algorithms: HS256 (expected: with the public keys in ")
        .hasMessageContaining("ES256");
  }

  private static Path jwks(Path folder, JWK... keys) throws IOException {
    return Files.writeString(folder.resolve("jwks.json"), Tokens.jwks(keys));
  }

  private static HttpReader reader(JwtSettings settings) {
    return new HttpReader(
        HttpSettings.DEFAULT.withJwt(settings),
        Descriptor.Names.of(List.of("jwt sub")),
        new ManualClock(),
        null);
  }

  private static Descriptor read(JwtSettings settings, String token) {
    return reader(settings).read(FakeRequest.get("/").bearer(token));
  }

  private static void assertAbsent(JwtSettings settings, String token, Event reason) {
    HttpReader reader = reader(settings);
    assertThat(reader.read(FakeRequest.get("/").bearer(token)).value(0)).isNull();
    assertThat(reader.meters().of(reason)).as(reader.meters().counts().toString()).isOne();
  }
}
