package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.weir.server.rls.RlsSettings;
import dev.weir.server.settings.ServerSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The recipes of the docs, on the real programs, in front of a real application. */
class GatewaysTest {
  private static final String RULES =
      """
      trusted-proxies: [127.0.0.1/32]
      rules:
        - {name: key, match: {path: "/api/**"}, per: header X-Api-Key, limit: 2/hour}
      """;

  @TempDir private Path directory = Path.of("");
  private HttpServer app = create();

  private static HttpServer create() {
    try {
      return HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @BeforeEach
  void startApplication() {
    app.createContext(
        "/",
        exchange -> {
          boolean forbidden = exchange.getRequestURI().getPath().equals("/forbidden");
          byte[] body = "hello".getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(forbidden ? 403 : 200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    app.start();
  }

  @AfterEach
  void stopApplication() {
    app.stop(0);
  }

  @Test
  void nginxEnforcesLimitsAndFailsOpenWhenWeirIsDown() throws IOException {
    try (TestServer served = TestServer.with(RULES);
        Gateway nginx =
            Gateway.nginx(directory, served.server.port(), app.getAddress().getPort())) {
      HttpResponse<String> denied = exhaust(served, nginx);
      assertThat(denied.headers().firstValue("Cache-Control")).contains("no-store");
      // Denials of the application itself are passed on unchanged.
      assertThat(ask(served, nginx, "/forbidden", "c").statusCode()).isEqualTo(403);
      served.server.close();
      assertThat(ask(served, nginx, "/api/x", "a").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void nginxDistinguishesStoreOutageFromDenial() throws IOException {
    String rules = "rules: [{name: all, per: path, limit: 1/hour, when-store-fails: deny}]";
    FaultyStore store = new FaultyStore();
    try (TestServer served = TestServer.with(rules, ServerSettings.DEFAULT, store);
        Gateway nginx =
            Gateway.nginx(directory, served.server.port(), app.getAddress().getPort())) {
      assertThat(ask(served, nginx, "/one", "a").statusCode()).isEqualTo(200);
      HttpResponse<String> denied = ask(served, nginx, "/one", "a");
      assertThat(denied.statusCode()).isEqualTo(429);
      assertThat(denied.body()).contains("quota-exceeded");
      store.gone = true;
      HttpResponse<String> gone = ask(served, nginx, "/two", "a");
      assertThat(gone.statusCode()).isEqualTo(503);
      assertThat(CheckTest.header(gone, "Retry-After")).isEqualTo("1");
      assertThat(CheckTest.header(gone, "Content-Type")).isEqualTo("application/problem+json");
      assertThat(gone.body()).contains("store-unavailable").doesNotContain("quota");
    }
  }

  @Test
  void caddyEnforcesLimitsAndFailsClosedWhenWeirIsDown() throws IOException {
    try (TestServer served = TestServer.with(RULES);
        Gateway caddy =
            Gateway.caddy(directory, served.server.port(), app.getAddress().getPort())) {
      assertThat(exhaust(served, caddy).body()).contains("violated-policies");
      served.server.close();
      assertThat(ask(served, caddy, "/api/x", "a").statusCode()).isEqualTo(502);
    }
  }

  @Test
  void envoyEnforcesLimitsAndFailsOpenWhenWeirIsDown() throws IOException {
    try (TestServer served = withDomain();
        Gateway envoy =
            Gateway.envoy(directory, served.server.grpcPort(), app.getAddress().getPort(), false)) {
      HttpResponse<String> passed = ask(served, envoy, "/api/x", "a");
      assertThat(passed.statusCode()).isEqualTo(200);
      assertThat(passed.body()).isEqualTo("hello");
      assertHeaders(passed, 1);
      assertHeaders(ask(served, envoy, "/api/x", "a"), 0);
      HttpResponse<String> denied = ask(served, envoy, "/api/x", "a");
      assertThat(denied.statusCode()).isEqualTo(429);
      assertThat(CheckTest.header(denied, "x-envoy-ratelimited")).isEqualTo("true");
      assertHeaders(denied, 0);
      assertThat(ask(served, envoy, "/api/x", "b").statusCode()).isEqualTo(200);
      assertThat(ask(served, envoy, "/free", "a").statusCode()).isEqualTo(200);
      served.server.close();
      HttpResponse<String> open = ask(served, envoy, "/api/x", "a");
      assertThat(open.statusCode()).isEqualTo(200);
      assertThat(open.headers().firstValue("x-ratelimit-limit")).isEmpty();
    }
  }

  @Test
  void envoyFailsClosedWhenWeirIsDownIfConfigured() throws IOException {
    try (TestServer served = withDomain();
        Gateway envoy =
            Gateway.envoy(directory, served.server.grpcPort(), app.getAddress().getPort(), true)) {
      assertThat(ask(served, envoy, "/api/x", "a").statusCode()).isEqualTo(200);
      served.server.close();
      assertThat(ask(served, envoy, "/api/x", "a").statusCode()).isEqualTo(500);
      assertThat(ask(served, envoy, "/free", "a").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void envoySendsThePlanItSetsWhateverTheClientSends() throws IOException {
    String domain =
        """
        domain: shop
        descriptors:
          - {key: plan, value: pro, rate_limit: {unit: hour, requests_per_unit: 1000}}
          - {key: plan, rate_limit: {unit: hour, requests_per_unit: 2}}
        """;
    String asks = "- name: envoy.filters.http.ratelimit";
    String sets = Gateway.block("envoy.md", "yaml", "header_mutation.v3").indent(18).strip();
    String client = "x-api-key, descriptor_key: api_key";
    String own = "x-plan, descriptor_key: plan";
    try (TestServer served = TestServer.with(domain);
        Gateway envoy =
            Gateway.envoyWithRatelimit(
                directory,
                served.server.grpcPort(),
                app.getAddress().getPort(),
                recipe ->
                    recipe
                        .replace(client, own)
                        .replace(asks, sets + "\n" + " ".repeat(18) + asks))) {
      URI uri = URI.create("http://127.0.0.1:" + envoy.port + "/api/x");
      HttpRequest forged = HttpRequest.newBuilder(uri).header("X-Plan", "pro").build();
      int passed = 0;
      for (int i = 0; i < 6; i++) {
        passed += served.send(forged).statusCode() == 200 ? 1 : 0;
      }
      assertThat(passed).isEqualTo(2);
    }
  }

  private static TestServer withDomain() throws IOException {
    RlsSettings headers = new RlsSettings(false, false, RlsSettings.Headers.DEFAULT, false);
    String rules = Gateway.block("envoy.md", "yaml", "requests_per_unit");
    return TestServer.with(rules, ServerSettings.DEFAULT.withRls(headers));
  }

  /** The headers that Envoy creates, and those that Weir adds. */
  private static void assertHeaders(HttpResponse<String> response, int remaining) {
    assertThat(CheckTest.header(response, "x-ratelimit-limit")).isEqualTo("2, 2;w=3600");
    assertThat(CheckTest.header(response, "RateLimit-Limit")).isEqualTo("2");
    for (String prefix : new String[] {"x-ratelimit-", "RateLimit-"}) {
      assertThat(CheckTest.header(response, prefix + "remaining")).isEqualTo("" + remaining);
      assertThat(Long.parseLong(CheckTest.header(response, prefix + "reset")))
          .isBetween(1L, 3_600L);
    }
  }

  /** Two requests pass, the third is denied with headers, and another client is not affected. */
  private static HttpResponse<String> exhaust(TestServer served, Gateway gateway) {
    for (int i = 0; i < 2; i++) {
      HttpResponse<String> passed = ask(served, gateway, "/api/x", "a");
      assertThat(passed.statusCode()).isEqualTo(200);
      assertThat(passed.body()).isEqualTo("hello");
    }
    HttpResponse<String> denied = ask(served, gateway, "/api/x", "a");
    assertThat(denied.statusCode()).isEqualTo(429);
    assertThat(Long.parseLong(CheckTest.header(denied, "Retry-After"))).isBetween(1_700L, 1_800L);
    assertThat(CheckTest.header(denied, "RateLimit")).startsWith("\"key\";r=0;t=");
    assertThat(CheckTest.header(denied, "RateLimit-Policy")).isEqualTo("\"key\";q=2;w=3600");
    assertThat(CheckTest.header(denied, "Content-Type")).isEqualTo("application/problem+json");
    assertThat(ask(served, gateway, "/api/x", "b").statusCode()).isEqualTo(200);
    assertThat(ask(served, gateway, "/free", "a").statusCode()).isEqualTo(200);
    return denied;
  }

  private static HttpResponse<String> ask(
      TestServer served, Gateway gateway, String path, String key) {
    URI uri = URI.create("http://127.0.0.1:" + gateway.port + path);
    return served.send(HttpRequest.newBuilder(uri).header("X-Api-Key", key).build());
  }
}
