package dev.weir.http.jwt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.http.Tokens;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JwtSettingsTest {
  private static final JwtSettings SECRET = JwtSettings.of(JwtKeys.secret(Tokens.SECRET));

  @Test
  void invalidSettingsAreRejected() {
    assertThatThrownBy(() -> JwtKeys.secret(new byte[31]))
        .hasMessage("secret: 31 bytes (expected: at least 32)");
    assertThatThrownBy(() -> SECRET.withAlgorithms(Set.of("none")))
        .hasMessage("algorithms: none (expected: with a secret of 41 bytes: one of [HS256])");
    assertThatThrownBy(() -> SECRET.withAlgorithms(Set.of("HS512")))
        .hasMessageStartingWith("algorithms: HS512");
    assertThatThrownBy(() -> SECRET.withAlgorithms(Set.of("RS256")))
        .hasMessageStartingWith("algorithms: RS256");
    assertThatThrownBy(() -> SECRET.withAlgorithms(Set.of()))
        .hasMessage("algorithms: [] (expected: at least one)");
    assertThatThrownBy(() -> SECRET.withClockSkew(Duration.ofMinutes(11)))
        .hasMessage("clockSkew: PT11M (expected: between 0 and PT10M)");
    assertThatThrownBy(() -> TokenLocation.header("X-Token"))
        .hasMessageStartingWith("token: X-Token (expected: ");
    assertThat(JwtKeys.secret(new byte[64]).algorithms()).contains("HS512");
    assertThat(SECRET.toString()).doesNotContain(Arrays.toString(Tokens.SECRET));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://example.com/jwks",
        "http://127.0.0.1.example.com/",
        "file:///x",
        "x",
        "ftp://localhost/",
        "http://10.0.0.1/",
        "https:///x",
        "http://[::2]/"
      })
  void jwksUrlIsRejectedUnlessHttpsOrLoopback(String url) {
    assertThatThrownBy(() -> JwtKeys.url(URI.create(url)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("url: " + url + " (expected: https, or http on a loopback address)");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://example.com/jwks",
        "http://localhost:8080/",
        "http://127.1.2.3/",
        "http://[::1]:80/"
      })
  void jwksUrlWithHttpsOrOnLoopbackIsAccepted(String url) {
    assertThat(JwtKeys.url(URI.create(url)).algorithms()).contains("RS256").doesNotContain("HS256");
  }
}
