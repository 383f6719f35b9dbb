package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.settings.MetricsSettings;
import dev.weir.server.settings.ServerSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The host names that operator ports accept: DNS rebinding may point any name at them. */
@Timeout(300)
class AdminHostTest {
  private static final String RULES = "rules: [{name: site, limit: 100/hour}]";

  private static int get(int port, String... lines) throws IOException {
    String head = "GET /metrics HTTP/1.1\r\n" + String.join("\r\n", lines) + "\r\n\r\n";
    try (RawClient client = new RawClient(port, 60_000)) {
      client.send(head.getBytes(StandardCharsets.ISO_8859_1));
      return Objects.requireNonNull(client.read(false)).status();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "evil.example",
        "evil.example:6070",
        "127.0.0.1.evil.example",
        "localhost.evil.example",
        "localhost@evil.example",
        "203.0.113.7:6070",
        "0.0.0.0:6070",
        "[2001:db8::1]:6070",
        "[::ffff:203.0.113.7]",
        "a b",
        ""
      })
  void adminPortRejectsForeignHost(String host) throws Exception {
    try (TestServer served = TestServer.open(RULES)) {
      assertThat(get(served.server.adminPort(), "Host: " + host)).isEqualTo(421);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1",
        "127.0.0.1:6070",
        "127.9.9.9",
        "localhost:1",
        "LocalHost",
        "[::1]:6070"
      })
  void adminPortAcceptsLoopbackHosts(String host) throws Exception {
    try (TestServer served = TestServer.open(RULES)) {
      assertThat(get(served.server.adminPort(), "Host: " + host)).isEqualTo(200);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"https://evil.example", "null", "http://127.0.0.1:1", "http://127.0.0.1"})
  void adminPortRejectsForeignOrigin(String origin) throws Exception {
    try (TestServer served = TestServer.open(RULES)) {
      assertThat(get(served.server.adminPort(), "Host: 127.0.0.1:6070", "Origin: " + origin))
          .isEqualTo(403);
      assertThat(
              get(
                  served.server.adminPort(),
                  "Host: 127.0.0.1:6070",
                  "Origin: http://127.0.0.1:6070"))
          .isEqualTo(200);
    }
  }

  @Test
  void metricsPortRejectsPublicNames() throws Exception {
    MetricsSettings alone =
        MetricsSettings.DEFAULT.withListener(
            new MetricsSettings.Listener("0.0.0.0", 0, "/metrics"));
    try (TestServer served = TestServer.with(RULES, ServerSettings.DEFAULT.withMetrics(alone))) {
      int port = served.server.metricsPort();
      for (String foreign : new String[] {"evil.example", "weir.evil.example:9090"}) {
        assertThat(get(port, "Host: " + foreign)).as(foreign).isEqualTo(421);
      }
      for (String own :
          new String[] {
            "10.0.0.7:9090",
            "[2001:db8::7]:9090",
            "localhost:9090",
            "ratelimit:9090",
            "ratelimit.shop.svc",
            "ratelimit.shop.svc.cluster.local:9090",
            "weir.corp.internal"
          }) {
        assertThat(get(port, "Host: " + own)).as(own).isEqualTo(200);
      }
      assertThat(get(port, "Host: localhost:9090", "Origin: https://evil.example")).isEqualTo(403);
    }
  }

  @Test
  void reachableAdminPortAcceptsAnyAddressAndConfiguredNames() throws Exception {
    ServerSettings open =
        ServerSettings.DEFAULT
            .withAdmin("0.0.0.0", "let-me-in")
            .withAdminNames(Set.of("Weir.example.com"));
    try (TestServer served = TestServer.with(RULES, open)) {
      int port = served.server.adminPort();
      String token = "Authorization: Bearer let-me-in";
      for (String own :
          new String[] {
            "203.0.113.7:6070",
            "[2001:db8::1]:6070",
            "localhost",
            "weir.EXAMPLE.com:6070",
            "weir.example.com."
          }) {
        assertThat(get(port, "Host: " + own, token)).as(own).isEqualTo(200);
        assertThat(get(port, "Host: " + own)).as(own).isEqualTo(401);
      }
      for (String foreign : new String[] {"evil.example", "x.weir.example.com", "ratelimit"}) {
        assertThat(get(port, "Host: " + foreign, token)).as(foreign).isEqualTo(421);
      }
    }
  }

  @Test
  void requestWithoutHostIsAccepted() throws Exception {
    try (TestServer served = TestServer.open(RULES);
        RawClient client = new RawClient(served.server.adminPort(), 60_000)) {
      client.send("GET /metrics HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
      assertThat(Objects.requireNonNull(client.read(false)).status()).isEqualTo(200);
    }
  }
}
