package dev.weir.http.jwt;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.EncryptionMethod;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWEAlgorithm;
import com.nimbusds.jose.JWEHeader;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSAEncrypter;
import com.nimbusds.jwt.EncryptedJWT;
import com.nimbusds.jwt.JWTClaimsSet;
import dev.weir.Descriptor;
import dev.weir.http.FakeRequest;
import dev.weir.http.HttpMeters.Event;
import dev.weir.http.Tokens;
import dev.weir.http.identity.HttpReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Texts at the location of a token that are no signed JWT. */
class MalformedTokenTest extends JwtFixture {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "x",
        ".",
        "e30.e30.e30",
        "e30.e30.",
        "e30",
        "{}",
        "a b c",
        "eyJhbGciOiJIUzI1NiJ9.e30",
        "W10.W10.W10"
      })
  void garbageIsRejected(String token) {
    HttpReader reader = reader(SECRET, "jwt sub");
    Descriptor read = reader.read(FakeRequest.get("/").bearer(token));
    assertThat(read.value("jwt sub")).isNull();
    assertThat(
            reader.meters().of(Event.JWT_MALFORMED)
                + reader.meters().of(Event.JWT_UNSIGNED)
                + reader.meters().of(Event.JWT_BAD_SIGNATURE))
        .isOne();
  }

  @Test
  void opaqueTokensHaveNoClaims() {
    assertAbsent(SECRET, "ghp_16C7e42F292c6912E7710c838347Ae178B4a", Event.JWT_MALFORMED);
    assertAbsent(SECRET, "sk-live.abc+/=", Event.JWT_MALFORMED);
    for (String value :
        new String[] {"Digest realm=\"a.example.com\", uri=\"/k/eyJ.html\"", "Basic ZXlK.x.y"}) {
      FakeRequest request = FakeRequest.get("/").header("Authorization", value);
      assertAbsent(SECRET, request, Event.JWT_MISSING);
    }
  }

  @Test
  void signedPayloadThatIsNoJsonObjectIsMalformed() throws JOSEException {
    JWSObject nested =
        new JWSObject(
            new JWSHeader.Builder(JWSAlgorithm.HS256).contentType("JWT").build(),
            new Payload(hs256(Tokens.ann().build())));
    nested.sign(new MACSigner(Tokens.SECRET));
    assertAbsent(SECRET, nested.serialize(), Event.JWT_MALFORMED);
  }

  @Test
  void deeplyNestedJsonIsMalformed() {
    String header = base64("{\"alg\":\"HS256\",\"x\":" + "[".repeat(5000) + "}");
    assertAbsent(SECRET, header + ".e30.AA", Event.JWT_MALFORMED);
  }

  @Test
  void oversizedTokenIsUnusableAndNotVerified() {
    JWTClaimsSet claims = Tokens.ann().claim("x", "x".repeat(8192)).build();
    assertUnusable(SECRET, FakeRequest.get("/").bearer(hs256(claims)), Event.JWT_OVERSIZED);
  }

  @Test
  void encryptedTokenIsNotVerified() throws JOSEException {
    EncryptedJWT token =
        new EncryptedJWT(
            new JWEHeader(JWEAlgorithm.RSA_OAEP_256, EncryptionMethod.A128GCM),
            Tokens.ann().build());
    token.encrypt(new RSAEncrypter(Tokens.RSA));
    assertAbsent(SECRET, token.serialize(), Event.JWT_ENCRYPTED);
  }
}
