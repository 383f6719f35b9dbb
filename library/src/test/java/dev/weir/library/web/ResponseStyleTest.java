package dev.weir.library.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.http.response.RateLimitHeaders.Family;
import dev.weir.library.web.ResponseStyle.Body;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ResponseStyleTest {
  private static void assertRejected(ThrowingCallable call, String message) {
    assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class).hasMessage(message);
  }

  @ParameterizedTest
  @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 200, 399, 600, Integer.MAX_VALUE})
  void statusThatIsNoErrorIsRejected(int status) {
    assertRejected(
        () -> ResponseStyle.DEFAULT.status(status),
        "status: " + status + " (expected: between 400 and 599)");
  }

  @Test
  @SuppressWarnings("NullAway") // callers may not check
  void nullIsRejected() {
    ResponseStyle style = ResponseStyle.DEFAULT;
    assertRejected(() -> style.headers(null), "headers: null (expected: a value)");
    Set<Family> holes = new HashSet<>();
    holes.add(null);
    assertRejected(() -> style.headers(holes), "headers: null (expected: a value)");
    assertRejected(() -> style.body(null), "body: null (expected: a value)");
    assertRejected(() -> style.clock(null), "clock: null (expected: a value)");
  }

  @Test
  void styleIsImmutable() {
    ResponseStyle other = ResponseStyle.DEFAULT.status(503).body(Body.NONE).headers(Set.of());
    assertThat(other.status()).hasValue(503);
    assertThat(other.body()).isEqualTo(Body.NONE);
    assertThat(ResponseStyle.DEFAULT.status()).isEmpty();
    assertThat(ResponseStyle.DEFAULT.body()).isEqualTo(Body.PROBLEM);
  }

  @Test
  void bodiesHaveTheirMediaTypes() {
    assertThat(List.of(Body.values()))
        .extracting(Body::mediaType)
        .containsExactly("application/problem+json", "application/json", "");
  }
}
