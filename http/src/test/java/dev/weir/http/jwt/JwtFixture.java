package dev.weir.http.jwt;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jwt.JWTClaimsSet;
import dev.weir.Descriptor;
import dev.weir.http.FakeRequest;
import dev.weir.http.HttpMeters.Event;
import dev.weir.http.ManualClock;
import dev.weir.http.Tokens;
import dev.weir.http.identity.HttpReader;
import dev.weir.http.identity.HttpSettings;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Readers of tokens on a manual clock, and assertions on the result for one token. */
abstract class JwtFixture {
  static final JwtSettings SECRET = JwtSettings.of(JwtKeys.secret(Tokens.SECRET));

  final ManualClock clock = new ManualClock();

  static String hs256(JWTClaimsSet claims) {
    return Tokens.sign(Tokens.SECRET, JWSAlgorithm.HS256, claims);
  }

  static String base64(String text) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  HttpReader reader(JwtSettings settings, String... names) {
    return new HttpReader(
        HttpSettings.DEFAULT.withJwt(settings), Descriptor.Names.of(List.of(names)), clock, null);
  }

  @Nullable String sub(JwtSettings settings, FakeRequest request) {
    return reader(settings, "jwt sub").read(request).value("jwt sub");
  }

  void assertAbsent(JwtSettings settings, String token, Event reason) {
    assertAbsent(settings, FakeRequest.get("/").bearer(token), reason);
  }

  void assertUnusable(JwtSettings settings, FakeRequest request, Event reason) {
    HttpReader reader = reader(settings, "jwt sub", "jwt plan");
    assertThat(reader.read(request).value("jwt sub"))
        .as(request.toString())
        .isSameAs(Descriptor.UNUSABLE);
    assertThat(reader.meters().of(reason)).as(reader.meters().counts().toString()).isOne();
    assertThat(reader.meters().of(Event.JWT_CACHE_MISS)).as("verified").isZero();
  }

  void assertAbsent(JwtSettings settings, FakeRequest request, Event reason) {
    HttpReader reader = reader(settings, "jwt sub", "jwt plan");
    assertThat(reader.read(request).value("jwt sub")).isNull();
    assertThat(reader.meters().of(reason)).as(reader.meters().counts().toString()).isOne();
  }
}
