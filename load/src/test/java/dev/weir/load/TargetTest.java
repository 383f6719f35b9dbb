package dev.weir.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TargetTest {
  @Test
  void urlIsTakenApart() {
    Target target = Target.of("http://127.0.0.1:8080/a/b?c=d");
    assertThat(target.authority()).isEqualTo("127.0.0.1:8080");
    assertThat(target.path()).isEqualTo("/a/b?c=d");
    assertThat(target.address().getPort()).isEqualTo(8080);
    assertThat(Target.of("http://127.0.0.1").path()).isEqualTo("/");
    assertThat(Target.of("http://127.0.0.1").address().getPort()).isEqualTo(80);
  }

  @Test
  void addressDecidesWhetherItIsThisMachine() {
    assertThat(Target.of("http://127.9.9.9:1").isLoopback()).isTrue();
    assertThat(Target.of("http://[::1]:1").isLoopback()).isTrue();
    assertThat(Target.of("http://localhost:1").isLoopback()).isTrue();
    assertThat(Target.of("http://203.0.113.7:1").isLoopback()).isFalse();
    assertThat(Target.of("http://0.0.0.0:1").isLoopback()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "127.0.0.1:1", "https://127.0.0.1", "http://", "http://a b", "http://u@h"})
  void otherUrlsAreRefused(String url) {
    assertThatThrownBy(() -> Target.of(url))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageEndingWith(" (expected: a URL such as http://127.0.0.1:8080)");
  }

  @Test
  void unknownHostIsRefused() {
    assertThatThrownBy(() -> Target.of("http://no-such-host.invalid:1"))
        .hasMessage("URL: http://no-such-host.invalid:1 (expected: a host that exists)");
  }
}
