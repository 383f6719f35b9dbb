package dev.weir.http.jwt;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jwt.JWTClaimsSet;
import dev.weir.Descriptor;
import dev.weir.http.FakeRequest;
import dev.weir.http.HttpMeters.Event;
import dev.weir.http.Tokens;
import dev.weir.http.identity.HttpReader;
import dev.weir.http.identity.HttpSettings;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How long the results of verified tokens are cached, and for which readers. */
class JwtCacheTest extends JwtFixture {
  @Test
  void resultIsCachedForGoodAndBadTokens() {
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
    assertThat(reader.meters().of(Event.JWT_CACHE_MISS))
        .as("a rejection is cached for ten seconds")
        .isEqualTo(3);
    clock.pass(Duration.ofMinutes(6));
    reader.read(good);
    assertThat(reader.meters().of(Event.JWT_CACHE_MISS)).isEqualTo(4);
  }

  @Test
  void readerOfOtherNamesReadsTheSameTokens() {
    HttpReader reader = reader(SECRET, "jwt sub");
    HttpReader other =
        reader.reconfigured(
            HttpSettings.DEFAULT.withJwt(SECRET), Descriptor.Names.of(List.of("ip", "jwt plan")));
    JWTClaimsSet claims = Tokens.ann().claim("plan", "gold").build();
    FakeRequest request = FakeRequest.get("/").bearer(hs256(claims));
    assertThat(reader.read(request).value("jwt sub")).isEqualTo("ann");
    assertThat(other.read(request).value("jwt plan")).isEqualTo("gold");
  }

  @Test
  void cachedTokenIsVerifiedAgainUnderOtherSettings() {
    HttpReader reader = reader(SECRET, "jwt sub");
    HttpReader strict =
        reader.reconfigured(
            HttpSettings.DEFAULT.withJwt(SECRET.withAudience("weir")),
            Descriptor.Names.of(List.of("jwt sub")));
    FakeRequest request = FakeRequest.get("/").bearer(hs256(Tokens.ann().build()));
    assertThat(reader.read(request).value("jwt sub")).isEqualTo("ann");
    assertThat(strict.read(request).value("jwt sub")).isNull();
    assertThat(reader.meters().of(Event.JWT_WRONG_AUDIENCE)).isOne();
  }
}
