package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.gateway.upstream.Upstream;
import dev.weir.server.tls.Tls;
import dev.weir.testkit.TestAuthority;
import dev.weir.testkit.TestAuthority.Issued;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.PemKeyCertOptions;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** TLS to clients, and to upstreams. */
class TlsTest {
  @TempDir private static Path directory = Path.of("");

  private final Vertx vertx = Vertx.vertx();
  private final TestAuthority authority = authority("authority");

  private static TestAuthority authority(String name) {
    try {
      return new TestAuthority(directory, name);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @AfterEach
  void stop() {
    vertx.close().await();
  }

  /** A server that returns the version of HTTP and who the gateway says that the client is. */
  private HttpServer upstream(Issued certificate) {
    return vertx
        .createHttpServer(
            new HttpServerOptions()
                .setSsl(true)
                .setUseAlpn(true)
                .setKeyCertOptions(
                    new PemKeyCertOptions()
                        .setCertPath(certificate.certificate().toString())
                        .setKeyPath(certificate.key().toString())))
        .requestHandler(
            request ->
                request
                    .response()
                    .end(request.version() + " " + request.getHeader("X-Forwarded-Proto")))
        .listen(0, "127.0.0.1")
        .await();
  }

  private static String rules(HttpServer upstream, String tls) {
    return named("up", upstream, tls, "") + TestGateway.OPEN;
  }

  private static String named(String name, HttpServer upstream, String tls, String more) {
    return "upstreams: {%s: {servers: [\"https://127.0.0.1:%d\"], tls: {%s}%s}}\n"
        .formatted(name, upstream.actualPort(), tls, more);
  }

  private static String trusting(TestAuthority authority) {
    return "ca: \"" + authority.certificate() + "\"";
  }

  private static HttpClient.Builder client(SSLContext context, HttpClient.Version version) {
    return HttpClient.newBuilder().sslContext(context).version(version);
  }

  private static void assertRefused(String rules, String why) {
    try (LogLines log = new LogLines(Upstream.class);
        TestGateway gateway = TestGateway.configured(rules)) {
      HttpResponse<String> response = gateway.get("/");
      assertThat(response.statusCode()).isEqualTo(502);
      assertThat(response.body()).doesNotContain("certificate").doesNotContain("127.0.0.1");
      assertThat(log.lines)
          .anyMatch(line -> line.contains(" of upstream up: ") && line.contains(why));
      gateway.awaitInFlight(0);
    }
  }

  @ParameterizedTest
  @EnumSource(HttpClient.Version.class)
  void clientIsServedInItsVersionAndTheUpstreamLearnsOfTls(HttpClient.Version version)
      throws Exception {
    Issued own = authority.issue("127.0.0.1");
    try (ScriptedUpstream upstream = ScriptedUpstream.friendly();
        TestGateway gateway =
            TestGateway.secure(
                "upstreams: {up: \"" + upstream.url() + "\"}\n" + TestGateway.OPEN,
                new Tls(own.certificate(), own.key()),
                client(own.context(), version))) {
      HttpResponse<String> response =
          gateway.send(gateway.request("/").header("X-Forwarded-Proto", "gopher"));
      assertThat(response.statusCode()).isEqualTo(200);
      assertThat(response.version()).isEqualTo(version);
      ScriptedUpstream.Received received = upstream.received.get(0);
      assertThat(received.values("X-Forwarded-Proto")).containsExactly("https");
      assertThat(received.values("Forwarded").get(0)).endsWith(";proto=https");
      gateway.awaitInFlight(0);
    }
  }

  @Test
  void clientWithoutTheRequiredCertificateIsRefused() throws Exception {
    Issued own = authority.issue("127.0.0.1");
    Issued stranger = authority("stranger").issue("127.0.0.1");
    Tls tls =
        new Tls(
            own.certificate(), own.key(), new Tls.Clients(authority.certificate(), "client.test"));
    try (ScriptedUpstream upstream = ScriptedUpstream.friendly()) {
      String rules = "upstreams: {up: \"" + upstream.url() + "\"}\n" + TestGateway.OPEN;
      SSLContext accepted = authority.issue("client.test").context();
      try (TestGateway gateway =
          TestGateway.secure(rules, tls, client(accepted, HttpClient.Version.HTTP_2))) {
        assertThat(gateway.get("/").statusCode()).isEqualTo(200);
      }
      for (SSLContext refused : new SSLContext[] {own.context(), stranger.context()}) {
        try (TestGateway gateway =
            TestGateway.secure(rules, tls, client(refused, HttpClient.Version.HTTP_1_1))) {
          assertThatThrownBy(() -> gateway.get("/")).isInstanceOf(UncheckedIOException.class);
        }
      }
      assertThat(upstream.received).hasSize(1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"http1", "http2"})
  void upstreamOfTheOwnAuthorityIsTrusted(String protocol) throws Exception {
    HttpServer upstream = upstream(authority.issue("127.0.0.1"));
    String rules =
        named("up", upstream, trusting(authority), ", protocol: " + protocol) + TestGateway.OPEN;
    try (TestGateway gateway = TestGateway.configured(rules)) {
      assertThat(gateway.get("/").body())
          .isEqualTo(protocol.equals("http1") ? "HTTP_1_1 http" : "HTTP_2 http");
    }
  }

  @Test
  void nameOfTheUpstreamIsVerified() throws Exception {
    HttpServer upstream = upstream(authority.issue("orders.internal"));
    String ca = trusting(authority);
    try (TestGateway gateway =
        TestGateway.configured(rules(upstream, ca + ", name: orders.internal"))) {
      assertThat(gateway.get("/").body()).isEqualTo("HTTP_1_1 http");
    }
    assertRefused(rules(upstream, ca), "127.0.0.1");
    assertRefused(rules(upstream, ca + ", name: users.internal"), "users.internal");
  }

  @Test
  void expiredCertificateIsRefused() throws Exception {
    Instant yesterday = Instant.now().minus(Duration.ofDays(1));
    HttpServer upstream = upstream(authority.issue("127.0.0.1", yesterday));
    assertRefused(rules(upstream, trusting(authority)), "NotAfter");
  }

  @Test
  void unknownAuthorityIsRefused() throws Exception {
    HttpServer upstream = upstream(authority.issue("127.0.0.1"));
    assertRefused(
        rules(upstream, trusting(authority("other"))), "unable to find valid certification path");
    assertRefused(rules(upstream, ""), "unable to find valid certification path");
  }

  /** Upstreams with different authorities, of which each is trusted by its own upstream alone. */
  @Test
  void trustIsNotSharedAmongUpstreams() throws Exception {
    TestAuthority other = authority("second");
    HttpServer first = upstream(authority.issue("127.0.0.1"));
    HttpServer second = upstream(other.issue("127.0.0.1"));
    String rules =
        ("upstreams:\n"
                + "  a: {servers: [\"https://127.0.0.1:%d\"], tls: {%s}}\n"
                + "  b: {servers: [\"https://127.0.0.1:%d\"], tls: {%s}}\n"
                + "  c: {servers: [\"https://127.0.0.1:%d\"], tls: {%s}}\n"
                + "routes:\n"
                + "  - {match: {path: /a}, upstream: a}\n"
                + "  - {match: {path: /b}, upstream: b}\n"
                + "  - {match: {path: /c}, upstream: c}\n")
            .formatted(
                first.actualPort(),
                trusting(authority),
                second.actualPort(),
                trusting(other),
                second.actualPort(),
                trusting(authority));
    try (TestGateway gateway = TestGateway.configured(rules + TestGateway.OPEN)) {
      for (int i = 0; i < 3; i++) {
        assertThat(gateway.get("/a").statusCode()).isEqualTo(200);
        assertThat(gateway.get("/b").statusCode()).isEqualTo(200);
        assertThat(gateway.get("/c").statusCode()).isEqualTo(502);
      }
      gateway.awaitInFlight(0);
    }
  }

  /** It waits for the end of a line, and the gateway for a certificate. */
  @Test
  void serverWithoutTlsIsLeftAfterTheTimeToConnect() throws Exception {
    try (ScriptedUpstream plain = ScriptedUpstream.friendly()) {
      String rules =
          "upstreams: {up: {servers: [\"https://127.0.0.1:"
              + plain.port()
              + "\"], connect-timeout: 200ms}}\n"
              + TestGateway.OPEN;
      try (TestGateway gateway = TestGateway.configured(rules)) {
        assertThat(gateway.get("/").statusCode()).isEqualTo(502);
        gateway.awaitInFlight(0);
      }
    }
  }
}
