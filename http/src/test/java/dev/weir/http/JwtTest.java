package dev.weir.http;

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
import com.nimbusds.jwt.PlainJWT;
import dev.weir.Descriptor;
import dev.weir.http.HttpMeters.Event;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which tokens are believed; long because each way to forge one is tried by name. */
class JwtTest {
  private static final JwtSettings SECRET = JwtSettings.of(JwtKeys.secret(Tokens.SECRET));

  private final ManualClock clock = new ManualClock();

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
  void aTokenMayBeInAnotherHeaderOrInACookie() {
    String token = hs256(Tokens.ann().build());
    JwtSettings header = SECRET.withToken(TokenPlace.header("x-token"));
    JwtSettings cookie = SECRET.withToken(TokenPlace.cookie("session"));
    assertThat(sub(header, FakeRequest.get("/").header("X-Token", token))).isEqualTo("ann");
    FakeRequest inCookie = FakeRequest.get("/").header("Cookie", "a=b; session=" + token);
    assertThat(sub(cookie, inCookie)).isEqualTo("ann");
    assertThat(sub(cookie, FakeRequest.get("/").bearer(token))).isNull();
    FakeRequest lower = FakeRequest.get("/").header("authorization", "bearer  " + token);
    assertThat(sub(SECRET, lower)).isEqualTo("ann");
  }

  @Test
  void aRequestWithoutTokenHasNoClaims() {
    assertAbsent(SECRET, FakeRequest.get("/"), Event.JWT_MISSING);
    FakeRequest basic = FakeRequest.get("/").header("Authorization", "Basic YTpi");
    assertAbsent(SECRET, basic, Event.JWT_MISSING);
    assertAbsent(
        SECRET, FakeRequest.get("/").header("Authorization", "Bearer "), Event.JWT_MISSING);
  }

  @Test
  void anUnsignedTokenIsNotBelieved() {
    String none = new PlainJWT(Tokens.ann().build()).serialize();
    assertAbsent(SECRET, none, Event.JWT_UNSIGNED);
    String signed = hs256(Tokens.ann().build());
    assertAbsent(SECRET, signed.substring(0, signed.lastIndexOf('.') + 1), Event.JWT_UNSIGNED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"None", "NONE", "nOnE", "HS384", "RS256", "XX"})
  void onlyAllowedAlgorithmsAreBelieved(String algorithm) {
    String header = "{\"alg\":\"" + algorithm + "\"}";
    String[] parts = hs256(Tokens.ann().build()).split("\\.", -1);
    assertAbsent(
        SECRET, base64(header) + "." + parts[1] + "." + parts[2], Event.JWT_WRONG_ALGORITHM);
  }

  @Test
  void aTokenSignedWithAnotherSecretIsNotBelieved() {
    byte[] other = Tokens.SECRET.clone();
    other[0] ^= 1;
    String token = Tokens.sign(other, JWSAlgorithm.HS256, Tokens.ann().build());
    assertAbsent(SECRET, token, Event.JWT_BAD_SIGNATURE);
  }

  @Test
  void aChangedTokenIsNotBelieved() {
    String[] parts = hs256(Tokens.ann().build()).split("\\.", -1);
    String forged = base64("{\"sub\":\"bob\"}");
    assertAbsent(SECRET, parts[0] + "." + forged + "." + parts[2], Event.JWT_BAD_SIGNATURE);
  }

  @Test
  void aTokenIsBelievedUntilItsEndAndHalfAMinute() {
    HttpReader reader = reader(SECRET, "jwt sub");
    FakeRequest request = FakeRequest.get("/").bearer(hs256(Tokens.ann().build()));
    clock.pass(Duration.ofHours(1).plusSeconds(29));
    assertThat(reader.read(request).value("jwt sub")).isEqualTo("ann");
    clock.pass(Duration.ofSeconds(1));
    assertThat(reader.read(request).value("jwt sub")).as("what was cached is dead").isNull();
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
  void aTokenIsNotBelievedBeforeItsTime() {
    Date begins = Tokens.in(Duration.ofSeconds(33));
    JWTClaimsSet claims = Tokens.ann().notBeforeTime(begins).build();
    HttpReader reader = reader(SECRET, "jwt sub");
    FakeRequest request = FakeRequest.get("/").bearer(hs256(claims));
    assertThat(reader.read(request).value("jwt sub")).isNull();
    assertThat(reader.meters().of(Event.JWT_NOT_YET_VALID)).isOne();
    clock.pass(Duration.ofSeconds(3));
    assertThat(reader.read(request).value("jwt sub")).as("refusal forgotten").isEqualTo("ann");
  }

  @Test
  void issuerAndAudienceMustBeThoseWanted() {
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
  void garbageIsNoToken(String token) {
    HttpReader reader = reader(SECRET, "jwt sub");
    Descriptor read = reader.read(FakeRequest.get("/").bearer(token));
    assertThat(read.value("jwt sub")).isNull();
    assertThat(
            reader.meters().of(Event.JWT_MALFORMED)
                + reader.meters().of(Event.JWT_UNSIGNED)
                + reader.meters().of(Event.JWT_BAD_SIGNATURE))
        .isOne();
  }

  /** To somebody it may be one, who drops what does not belong there. */
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
  void whatHasTheDotsOfATokenAndIsNoneIsOfNoUse(String token) {
    assertUnusable(SECRET, FakeRequest.get("/").bearer(token), Event.JWT_MALFORMED);
  }

  /** Each of these is Ann to some application. */
  @Test
  void aGoodTokenThatIsSpoiledIsOfNoUseRatherThanAbsent() {
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
    JwtSettings cookie = SECRET.withToken(TokenPlace.cookie("session"));
    FakeRequest clash = FakeRequest.get("/").header("Cookie", "session=" + token + "; session=x");
    assertUnusable(cookie, clash, Event.JWT_UNUSABLE);
    FakeRequest dropped = FakeRequest.get("/").header("Cookie", "session=" + token);
    assertUnusable(cookie, dropped.header("Connection", "cookie"), Event.JWT_UNUSABLE);
    JwtSettings header = SECRET.withToken(TokenPlace.header("x-token"));
    FakeRequest worded = FakeRequest.get("/").header("X-Token", "Bearer " + token);
    assertUnusable(header, worded, Event.JWT_MALFORMED);
  }

  @Test
  void anyBlanksMayStandBeforeTheToken() {
    String token = hs256(Tokens.ann().build());
    for (String blanks : new String[] {" ", "\t", "  ", " \t "}) {
      FakeRequest request = FakeRequest.get("/").header("Authorization", "Bearer" + blanks + token);
      assertThat(sub(SECRET, request)).isEqualTo("ann");
    }
  }

  @Test
  void keysThatMeanNothingInThemselvesAreNoTokens() {
    assertAbsent(SECRET, "ghp_16C7e42F292c6912E7710c838347Ae178B4a", Event.JWT_MALFORMED);
    assertAbsent(SECRET, "sk-live.abc+/=", Event.JWT_MALFORMED);
    for (String value :
        new String[] {"Digest realm=\"a.example.com\", uri=\"/k/eyJ.html\"", "Basic ZXlK.x.y"}) {
      FakeRequest request = FakeRequest.get("/").header("Authorization", value);
      assertAbsent(SECRET, request, Event.JWT_MISSING);
    }
  }

  @Test
  void aSignedPayloadThatIsNoObjectIsMalformed() throws JOSEException {
    JWSObject nested =
        new JWSObject(
            new JWSHeader.Builder(JWSAlgorithm.HS256).contentType("JWT").build(),
            new Payload(hs256(Tokens.ann().build())));
    nested.sign(new MACSigner(Tokens.SECRET));
    assertAbsent(SECRET, nested.serialize(), Event.JWT_MALFORMED);
  }

  @Test
  void deeplyNestedJsonHarmsNobody() {
    String header = base64("{\"alg\":\"HS256\",\"x\":" + "[".repeat(5000) + "}");
    assertAbsent(SECRET, header + ".e30.AA", Event.JWT_MALFORMED);
  }

  @Test
  void anOversizedTokenIsNotLookedAt() {
    JWTClaimsSet claims = Tokens.ann().claim("x", "x".repeat(8192)).build();
    assertUnusable(SECRET, FakeRequest.get("/").bearer(hs256(claims)), Event.JWT_OVERSIZED);
  }

  @Test
  void anEncryptedTokenIsNotLookedAt() throws JOSEException {
    EncryptedJWT token =
        new EncryptedJWT(
            new JWEHeader(JWEAlgorithm.RSA_OAEP_256, EncryptionMethod.A128GCM),
            Tokens.ann().build());
    token.encrypt(new RSAEncrypter(Tokens.RSA));
    assertAbsent(SECRET, token.serialize(), Event.JWT_ENCRYPTED);
  }

  @Test
  void twoDifferentTokensAreOfNoUse() {
    String ann = hs256(Tokens.ann().build());
    String bob = hs256(Tokens.ann().subject("bob").build());
    HttpReader reader = reader(SECRET, "jwt sub");
    assertThat(reader.read(FakeRequest.get("/").bearer(ann).bearer(bob)).value(0))
        .isSameAs(Descriptor.UNUSABLE);
    assertThat(reader.meters().of(Event.HEADER_DUPLICATE)).isOne();
  }

  @Test
  void aTokenIsVerifiedOnceGoodOrBad() {
    HttpReader reader = reader(SECRET, "jwt sub");
    FakeRequest good = FakeRequest.get("/").bearer(hs256(Tokens.ann().build()));
    FakeRequest bad = FakeRequest.get("/").bearer("e30.e30.e30");
    for (int i = 0; i < 5; i++) {
      assertThat(reader.read(good).value("jwt sub")).isEqualTo("ann");
      assertThat(reader.read(bad).value("jwt sub")).isNull();
    }
    assertThat(reader.meters().of(Event.JWT_CACHE_MISS)).isEqualTo(2);
    assertThat(reader.meters().of(Event.JWT_CACHE_HIT)).isEqualTo(8);
    assertThat(reader.meters().of(Event.JWT_MALFORMED)).as("counted each time").isEqualTo(5);
    clock.pass(Duration.ofSeconds(10));
    reader.read(bad);
    assertThat(reader.meters().of(Event.JWT_CACHE_MISS)).as("a refusal is short").isEqualTo(3);
    clock.pass(Duration.ofMinutes(6));
    reader.read(good);
    assertThat(reader.meters().of(Event.JWT_CACHE_MISS)).isEqualTo(4);
  }

  @Test
  void readersOfOtherNamesReadTheSameTokens() {
    HttpReader reader = reader(SECRET, "jwt sub");
    HttpReader other =
        reader.with(
            HttpSettings.DEFAULT.withJwt(SECRET), Descriptor.Names.of(List.of("ip", "jwt plan")));
    JWTClaimsSet claims = Tokens.ann().claim("plan", "gold").build();
    FakeRequest request = FakeRequest.get("/").bearer(hs256(claims));
    assertThat(reader.read(request).value("jwt sub")).isEqualTo("ann");
    assertThat(other.read(request).value("jwt plan")).isEqualTo("gold");
  }

  @Test
  void whatWasBelievedUnderOtherSettingsIsVerifiedAnew() {
    HttpReader reader = reader(SECRET, "jwt sub");
    HttpReader strict =
        reader.with(
            HttpSettings.DEFAULT.withJwt(SECRET.withAudience("weir")),
            Descriptor.Names.of(List.of("jwt sub")));
    FakeRequest request = FakeRequest.get("/").bearer(hs256(Tokens.ann().build()));
    assertThat(reader.read(request).value("jwt sub")).isEqualTo("ann");
    assertThat(strict.read(request).value("jwt sub")).isNull();
    assertThat(reader.meters().of(Event.JWT_WRONG_AUDIENCE)).isOne();
  }

  private static String hs256(JWTClaimsSet claims) {
    return Tokens.sign(Tokens.SECRET, JWSAlgorithm.HS256, claims);
  }

  private static String base64(String text) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private HttpReader reader(JwtSettings settings, String... names) {
    return new HttpReader(
        HttpSettings.DEFAULT.withJwt(settings), Descriptor.Names.of(List.of(names)), clock, null);
  }

  private @Nullable String sub(JwtSettings settings, FakeRequest request) {
    return reader(settings, "jwt sub").read(request).value("jwt sub");
  }

  private void assertAbsent(JwtSettings settings, String token, Event reason) {
    assertAbsent(settings, FakeRequest.get("/").bearer(token), reason);
  }

  private void assertUnusable(JwtSettings settings, FakeRequest request, Event reason) {
    HttpReader reader = reader(settings, "jwt sub", "jwt plan");
    assertThat(reader.read(request).value("jwt sub"))
        .as(request.toString())
        .isSameAs(Descriptor.UNUSABLE);
    assertThat(reader.meters().of(reason)).as(reader.meters().counts().toString()).isOne();
    assertThat(reader.meters().of(Event.JWT_CACHE_MISS)).as("verified").isZero();
  }

  private void assertAbsent(JwtSettings settings, FakeRequest request, Event reason) {
    HttpReader reader = reader(settings, "jwt sub", "jwt plan");
    assertThat(reader.read(request).value("jwt sub")).isNull();
    assertThat(reader.meters().of(reason)).as(reader.meters().counts().toString()).isOne();
  }
}
