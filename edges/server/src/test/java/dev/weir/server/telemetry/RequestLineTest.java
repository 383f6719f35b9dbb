package dev.weir.server.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RequestLineTest {
  private static String path(String target) {
    return String.valueOf(RequestLine.of(null, "GET", target, false).path());
  }

  @Test
  void queryIsLeftOutUnlessItIsWanted() {
    assertThat(path("/a/b?token=secret")).isEqualTo("/a/b");
    assertThat(path("/a?b?c")).isEqualTo("/a");
    assertThat(path("?token=secret")).isEmpty();
    assertThat(RequestLine.of(null, "GET", "/a?b=c", true).path()).isEqualTo("/a?b=c");
  }

  @Test
  void urlIsLoggedWithoutItsPassword() {
    assertThat(path("http://alice:secret@host/a?b")).isEqualTo("/a");
    assertThat(path("http://alice:secret@host")).isEqualTo("/");
    assertThat(path("http://alice:secret@host?token=secret")).isEqualTo("/");
    assertThat(path("(unusable)")).isEqualTo("(unusable)");
  }

  @Test
  void longPathIsCut() {
    assertThat(path("/" + "x".repeat(10_000))).hasSize(RequestLine.MAX_CHARS + 3).endsWith("x...");
  }

  @Test
  void usualOperationIsNotNamed() {
    assertThat(RequestLine.of("take", null, null, false).operation()).isNull();
    assertThat(RequestLine.of("peek", null, null, false).operation()).isEqualTo("peek");
  }
}
