package dev.weir.http.jwt;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import dev.weir.Descriptor;
import dev.weir.http.FakeRequest;
import dev.weir.http.HttpMeters.Event;
import dev.weir.http.ManualClock;
import dev.weir.http.Readers;
import dev.weir.http.Tokens;
import dev.weir.http.identity.HttpReader;
import dev.weir.http.identity.HttpSettings;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Date;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which tokens are accepted, and which are absent or unusable. */
class JwtTest extends JwtFixture {
  @Test
  void claimsOfAVerifiedTokenAreRead() {
    JWTClaimsSet claims =
        Tokens.ann()
            .claim("plan", " gold ")
            .claim("level", 7)
            .claim("admin", false)
            .claim("org", Map.of("id", "o-1", "unit", Map.of("name", "sales")))
            .claim("https://example.com/tier", "t1")
            .claim("roles", List.of("a"))
            .claim("empty", "")
            .build();
    HttpReader reader =
        reader(
            SECRET,
            "jwt sub",
            "jwt plan",
            "jwt level",
            "jwt admin",
            "jwt org.id",
            "jwt org.unit.name",
            "jwt https://example.com/tier",
            "jwt roles",
            "jwt org",
            "jwt empty",
            "jwt none",
            "jwt sub.x",
            "jwt exp");
    Descriptor read = reader.read(FakeRequest.get("/").bearer(hs256(claims)));
    assertThat(read)
        .isEqualTo(
            Descriptor.of(
                read.names(),
                "ann",
                "gold",
                "7",
                "false",
                "o-1",
                "sales",
                "t1",
                null,
                null,
                null,
                null,
                null,
                Long.toString(ManualClock.START.getEpochSecond() + 3600)));
    assertThat(reader.meters().of(Event.JWT_CACHE_MISS)).as("verified once").isOne();
  }

  @Test
  void tokenIsReadFromAConfiguredHeaderOrCookie() {
    String token = hs256(Tokens.ann().build());
    JwtSettings header = SECRET.withToken(TokenLocation.header("x-token"));
    JwtSettings cookie = SECRET.withToken(TokenLocation.cookie("session"));
    assertThat(sub(header, FakeRequest.get("/").header("X-Token", token))).isEqualTo("ann");
    FakeRequest inCookie = FakeRequest.get("/").header("Cookie", "a=b; session=" + token);
    assertThat(sub(cookie, inCookie)).isEqualTo("ann");
    assertThat(sub(cookie, FakeRequest.get("/").bearer(token))).isNull();
    FakeRequest lower = FakeRequest.get("/").header("authorization", "bearer  " + token);
    assertThat(sub(SECRET, lower)).isEqualTo("ann");
  }

  @Test
  void requestWithoutTokenHasNoClaims() {
    assertAbsent(SECRET, FakeRequest.get("/"), Event.JWT_MISSING);
    FakeRequest basic = FakeRequest.get("/").header("Authorization", "Basic YTpi");
    assertAbsent(SECRET, basic, Event.JWT_MISSING);
    assertAbsent(
        SECRET, FakeRequest.get("/").header("Authorization", "Bearer "), Event.JWT_MISSING);
  }

  @Test
  void unsignedTokenIsRejected() {
    String none = new PlainJWT(Tokens.ann().build()).serialize();
    assertAbsent(SECRET, none, Event.JWT_UNSIGNED);
    String signed = hs256(Tokens.ann().build());
    assertAbsent(SECRET, signed.substring(0, signed.lastIndexOf('.') + 1), Event.JWT_UNSIGNED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"None", "NONE", "nOnE", "HS384", "RS256", "XX"})
  void tokenWithADisallowedAlgorithmIsRejected(String algorithm) {
    String header = "{\"alg\":\"" + algorithm + "\"}";
    String[] parts = hs256(Tokens.ann().build()).split("\\.", -1);
    assertAbsent(
        SECRET, base64(header) + "." + parts[1] + "." + parts[2], Event.JWT_WRONG_ALGORITHM);
  }

  @Test
  void tokenSignedWithAnotherSecretIsRejected() {
    byte[] other = Tokens.SECRET.clone();
    other[0] ^= 1;
    String token = Tokens.sign(other, JWSAlgorithm.HS256, Tokens.ann().build());
    assertAbsent(SECRET, token, Event.JWT_BAD_SIGNATURE);
  }

  @Test
  void tokenWithAChangedPayloadIsRejected() {
    String[] parts = hs256(Tokens.ann().build()).split("\\.", -1);
    String forged = base64("{\"sub\":\"bob\"}");
    assertAbsent(SECRET, parts[0] + "." + forged + "." + parts[2], Event.JWT_BAD_SIGNATURE);
  }

  @Test
  void tokenIsAcceptedUntilItsExpiryPlusClockSkew() {
    HttpReader reader = reader(SECRET, "jwt sub");
    FakeRequest request = FakeRequest.get("/").bearer(hs256(Tokens.ann().build()));
    clock.pass(Duration.ofHours(1).plusSeconds(29));
    assertThat(reader.read(request).value("jwt sub")).isEqualTo("ann");
    clock.pass(Duration.ofSeconds(1));
    assertThat(reader.read(request).value("jwt sub")).as("cached result has expired").isNull();
    assertThat(reader.meters().of(Event.JWT_EXPIRED)).isOne();
  }

  @Test
  void aSignedTokenWithoutExpiryIsBelievedOnlyWhereThatIsAllowed() {
    JWTClaimsSet endless = new JWTClaimsSet.Builder().subject("ann").build();
    assertAbsent(SECRET, hs256(endless), Event.JWT_NO_EXPIRY);
    JwtSettings lenient = SECRET.withRequireExpiry(false);
    assertThat(sub(lenient, FakeRequest.get("/").bearer(hs256(endless)))).isEqualTo("ann");
    clock.pass(Duration.ofHours(2));
    assertAbsent(lenient, hs256(Tokens.ann().build()), Event.JWT_EXPIRED);
  }

  @Test
  void tokenIsRejectedBeforeItsNotBeforeTime() {
    Date begins = Tokens.in(Duration.ofSeconds(33));
    JWTClaimsSet claims = Tokens.ann().notBeforeTime(begins).build();
    HttpReader reader = reader(SECRET, "jwt sub");
    FakeRequest request = FakeRequest.get("/").bearer(hs256(claims));
    assertThat(reader.read(request).value("jwt sub")).isNull();
    assertThat(reader.meters().of(Event.JWT_NOT_YET_VALID)).isOne();
    clock.pass(Duration.ofSeconds(3));
    assertThat(reader.read(request).value("jwt sub"))
        .as("rejection no longer cached")
        .isEqualTo("ann");
  }

  @Test
  void issuerAndAudienceMustBeTheConfiguredOnes() {
    JwtSettings settings = SECRET.withIssuer("https://id.example").withAudience("api");
    JWTClaimsSet good =
        Tokens.ann().issuer("https://id.example").audience(List.of("web", "api")).build();
    assertThat(sub(settings, FakeRequest.get("/").bearer(hs256(good)))).isEqualTo("ann");
    JWTClaimsSet wrongIssuer = new JWTClaimsSet.Builder(good).issuer("https://x.example").build();
    assertAbsent(settings, hs256(wrongIssuer), Event.JWT_WRONG_ISSUER);
    JWTClaimsSet wrongAudience = new JWTClaimsSet.Builder(good).audience("web").build();
    assertAbsent(settings, hs256(wrongAudience), Event.JWT_WRONG_AUDIENCE);
    assertAbsent(settings, hs256(Tokens.ann().build()), Event.JWT_WRONG_ISSUER);
    JWTClaimsSet forNobody = Tokens.ann().issuer("https://id.example").build();
    assertAbsent(settings, hs256(forNobody), Event.JWT_WRONG_AUDIENCE);
  }

  /** A lenient decoder that drops invalid characters may accept these. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "..",
        "...",
        "....",
        "a.b.c",
        "é.é.é",
        "eyJhbGciOiJIUzI1NiJ9.!!.!!",
        "e30.e30.e30=",
        "e30.e30.e31",
        "e30.e30.e30.",
        "e30.e30.e30 x",
        "x e30.e30.e30",
        "e30.e30.e30,e30.e30.e30"
      })
  void malformedTokenIsUnusable(String token) {
    assertUnusable(SECRET, FakeRequest.get("/").bearer(token), Event.JWT_MALFORMED);
  }

  /** Some application accepts each of these as the token of Ann. */
  @Test
  void tamperedTokenIsUnusableAndNotAbsent() {
    String token = hs256(Tokens.ann().build());
    FakeRequest twice = FakeRequest.get("/").bearer(token).bearer("x");
    assertUnusable(SECRET, twice, Event.JWT_UNUSABLE);
    FakeRequest emptied = FakeRequest.get("/").bearer(token).header("Authorization", "");
    assertUnusable(SECRET, emptied, Event.JWT_UNUSABLE);
    FakeRequest removed = FakeRequest.get("/").bearer(token).header("Connection", "authorization");
    assertUnusable(SECRET, removed, Event.JWT_UNUSABLE);
    for (String value :
        new String[] {
          "Bearer\u00a0" + token,
          "Bearer:" + token,
          "Bearer" + token,
          "Token " + token,
          "xBearer " + token,
          "Basic YTpi, Bearer " + token,
          token
        }) {
      FakeRequest request = FakeRequest.get("/").header("Authorization", value);
      assertUnusable(SECRET, request, Event.JWT_UNUSABLE);
    }
    for (String value : new String[] {token + " junk", "junk " + token, token + ", Bearer x"}) {
      assertUnusable(SECRET, FakeRequest.get("/").bearer(value), Event.JWT_MALFORMED);
    }
    JwtSettings cookie = SECRET.withToken(TokenLocation.cookie("session"));
    FakeRequest clash = FakeRequest.get("/").header("Cookie", "session=" + token + "; session=x");
    assertUnusable(cookie, clash, Event.JWT_UNUSABLE);
    FakeRequest dropped = FakeRequest.get("/").header("Cookie", "session=" + token);
    assertUnusable(cookie, dropped.header("Connection", "cookie"), Event.JWT_UNUSABLE);
    JwtSettings header = SECRET.withToken(TokenLocation.header("x-token"));
    FakeRequest worded = FakeRequest.get("/").header("X-Token", "Bearer " + token);
    assertUnusable(header, worded, Event.JWT_MALFORMED);
  }

  @Test
  void anyBlanksMayPrecedeTheToken() {
    String token = hs256(Tokens.ann().build());
    for (String blanks : new String[] {" ", "\t", "  ", " \t "}) {
      FakeRequest request = FakeRequest.get("/").header("Authorization", "Bearer" + blanks + token);
      assertThat(sub(SECRET, request)).isEqualTo("ann");
    }
  }

  @Test
  void twoDifferentTokensAreUnusable() {
    String ann = hs256(Tokens.ann().build());
    String bob = hs256(Tokens.ann().subject("bob").build());
    HttpReader reader = reader(SECRET, "jwt sub");
    assertThat(reader.read(FakeRequest.get("/").bearer(ann).bearer(bob)).value(0))
        .isSameAs(Descriptor.UNUSABLE);
    assertThat(reader.meters().of(Event.HEADER_DUPLICATE)).isOne();
  }

  @Test
  void forgedAndExpiredTokensHaveNoClaimsOnTheSystemClock() {
    HttpSettings settings =
        HttpSettings.DEFAULT.withJwt(JwtSettings.of(JwtKeys.secret(Tokens.SECRET)));
    String unsigned = new PlainJWT(Tokens.ann().build()).serialize();
    byte[] guess = "another secret of more than 32 bytes".getBytes(StandardCharsets.UTF_8);
    String wrongKey = Tokens.sign(guess, JWSAlgorithm.HS256, Tokens.ann().build());
    String expired =
        Tokens.sign(
            Tokens.SECRET,
            JWSAlgorithm.HS256,
            Tokens.ann().expirationTime(Tokens.in(Duration.ofDays(-9000))).build());
    for (String token : new String[] {unsigned, wrongKey, expired}) {
      assertThat(Readers.read(settings, "jwt sub", FakeRequest.get("/").bearer(token))).isNull();
    }
  }
}
