package dev.weir.server.xds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Valid settings, and the messages for invalid ones. */
class XdsSettingsTest {
  private static final XdsSettings USUAL = XdsSettings.at("localhost:18000");

  @ParameterizedTest
  @CsvSource({"localhost:18000, localhost", "10.0.0.1:1, 10.0.0.1", "[::1]:65535, ::1"})
  void addressHasHostAndPort(String address, String host) {
    XdsSettings settings = XdsSettings.at(address);
    assertThat(settings.host()).isEqualTo(host);
    assertThat(settings.address()).isEqualTo(address);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "host", "host:", ":1", "::1:1", "http://host:1", "a b:1", "h:123456"})
  void malformedAddressIsRejected(String address) {
    assertThatThrownBy(() -> XdsSettings.at(address))
        .hasMessage("xds: " + address + " (expected: HOST:PORT)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"h:0", "h:65536"})
  void portIsBounded(String address) {
    assertThatThrownBy(() -> XdsSettings.at(address))
        .hasMessage("xds: " + address + " (expected: HOST:PORT, with a port between 1 and 65535)");
  }

  @Test
  void allSettingsAreBounded() {
    assertThatThrownBy(() -> USUAL.withNode("", Map.of()))
        .hasMessage("node: nothing (expected: between 1 and 4096 characters)");
    assertThatThrownBy(() -> USUAL.withNode("n", Map.of("k", "x".repeat(5_000))))
        .hasMessage("node metadata: an entry that is too long (expected: at most 4096 characters)");
    assertThatThrownBy(() -> USUAL.withMaxMessageBytes(1))
        .hasMessage("message size: 1 (expected: between 1024 and 67108864 bytes)");
    assertThatThrownBy(() -> retries(0, 10, 60, 0.5))
        .hasMessage("connect retry: 0 s (expected: between 1 ms and 3600 s)");
    assertThatThrownBy(() -> retries(3, 10, 9, 0.5))
        .hasMessage("max backoff: 9 s (expected: between 10 s and 3600 s)");
    assertThatThrownBy(() -> retries(3, 10, 60, Double.NaN))
        .hasMessage("backoff jitter: NaN (expected: between 0 and 1)");
  }

  private static XdsSettings.Retries retries(int connect, int initial, int max, double jitter) {
    return new XdsSettings.Retries(
        Duration.ofSeconds(connect),
        Duration.ofSeconds(initial),
        Duration.ofSeconds(max),
        jitter,
        Duration.ofMinutes(6));
  }

  @Test
  void headersMustBeValidGrpcMetadataAndValuesAreNotReported() {
    assertThat(USUAL.withHeaders(Map.of("X-Token", "t")).headers()).containsKey("x-token");
    for (String name : new String[] {"", "a b", ":path", "grpc-timeout", "ä"}) {
      assertThatThrownBy(() -> USUAL.withHeaders(Map.of(name, "s3cret")))
          .hasMessageStartingWith("header: " + name + " (expected: letters")
          .message()
          .doesNotContain("s3cret");
    }
    assertThatThrownBy(() -> USUAL.withHeaders(Map.of("a", "s3cret\n")))
        .hasMessage("header: a with a value that is not shown (expected: only ASCII)");
  }
}
