package dev.weir.server;

import static dev.weir.rules.domain.TestDomains.at;
import static dev.weir.server.RlsClient.about;
import static dev.weir.server.RlsClient.remaining;
import static dev.weir.server.RlsClient.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.memory.MemoryStore;
import dev.weir.rules.domain.DomainBook;
import dev.weir.rules.domain.TestDomains;
import dev.weir.rules.domain.Unit;
import dev.weir.server.rls.RlsSettings;
import dev.weir.server.settings.ServerSettings;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.MetadataUtils;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that a web page can make a browser in the network send. */
@Timeout(300)
class CrossSiteTest {
  private static final String RULES =
      """
      rules:
        - {name: site, match: {path: /all}, limit: 100/hour}
        - {name: flight, match: {path: /slow}, concurrent: 1}
      """;
  private static final DomainBook DOMAINS = TestDomains.book("shop", at("one").per(9, Unit.DAY));
  private static final String TAKE = "{\"values\": {\"path\": \"/all\"}}";
  private static final String ASK =
      "{\"domain\": \"shop\", \"descriptors\": [{\"entries\": [{\"key\": \"one\", \"value\": \"a\"}]}]}";

  private static void isUntouched(TestServer served) {
    HttpResponse<String> next =
        served.postWith("/v1/decide", TAKE, "Content-Type", "application/json");
    assertThat(new JsonObject(next.body()).getLong("remaining")).isEqualTo(99);
  }

  /** All endpoints that take JSON, each with a valid body. */
  private static List<HttpResponse<String>> everywhere(TestServer served, String... headers) {
    return List.of(
        served.postWith("/v1/decide", TAKE, headers),
        served.postWith("/v1/release", "{\"permit\": \"AAAA\"}", headers),
        served.adminWith("POST", "/explain", TAKE, headers),
        served.adminWith("POST", "/reset", TAKE, headers));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "text/plain",
        "text/plain; charset=utf-8",
        "text/plain; application/json",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/jsonp",
        "application/problem+json",
        "application/json, text/plain",
      })
  void bodyWithOtherContentTypeIsRejected(String type) {
    try (TestServer served = TestServer.open(RULES, DOMAINS)) {
      for (HttpResponse<String> refused : everywhere(served, "Content-Type", type)) {
        assertThat(refused.statusCode()).as(refused.uri().getPath()).isEqualTo(415);
        assertThat(new JsonObject(refused.body()).getString("detail"))
            .isEqualTo("Content-Type: " + type + " (expected: application/json)");
      }
      assertThat(served.postWith("/json", ASK, "Content-Type", type).statusCode()).isEqualTo(415);
      isUntouched(served);
    }
  }

  @Test
  void bodyWithoutContentTypeIsRejected() {
    // A page that sends a Blob without a type omits the header, and needs no preflight.
    try (TestServer served = TestServer.open(RULES, DOMAINS)) {
      for (HttpResponse<String> refused : everywhere(served)) {
        assertThat(refused.statusCode()).as(refused.uri().getPath()).isEqualTo(415);
      }
      assertThat(served.postWith("/json", ASK).statusCode()).isEqualTo(415);
      isUntouched(served);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"application/json", "Application/JSON", "application/json; charset=utf-8"})
  void jsonContentTypeIsAcceptedInAnySpelling(String type) {
    try (TestServer served = TestServer.open(RULES)) {
      assertThat(served.postWith("/v1/decide", TAKE, "Content-Type", type).statusCode())
          .isEqualTo(200);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Origin: https://evil.example",
        "Origin: null",
        "Origin: http://127.0.0.1:1",
        "Origin: http://127.0.0.1",
        "Origin: nonsense",
        "Sec-Fetch-Site: cross-site",
        "Sec-Fetch-Site: same-site",
      })
  void crossSiteRequestIsRejectedOnEveryPort(String header) {
    String name = header.substring(0, header.indexOf(':'));
    String value = header.substring(name.length() + 2);
    try (TestServer served = TestServer.open(RULES, DOMAINS)) {
      String[] headers = {"Content-Type", "application/json", name, value};
      for (HttpResponse<String> refused : everywhere(served, headers)) {
        assertThat(refused.statusCode()).as(refused.uri().getPath()).isEqualTo(403);
        assertThat(new JsonObject(refused.body()).getString("detail")).startsWith(name + ": ");
      }
      assertThat(served.postWith("/json", ASK, headers).statusCode()).isEqualTo(403);
      isUntouched(served);
    }
  }

  @Test
  void sameOriginRequestIsAccepted() {
    try (TestServer served = TestServer.open(RULES)) {
      String own = "http://127.0.0.1:" + served.server.port();
      for (String site : List.of("same-origin", "none")) {
        String[] headers = {
          "Content-Type", "application/json", "Origin", own, "Sec-Fetch-Site", site
        };
        assertThat(served.postWith("/v1/decide", TAKE, headers).statusCode()).isEqualTo(200);
      }
    }
  }

  /** The request of a browser for a page whose name was rebound to this machine. */
  private static int rebound(int port, String host, String path, String body) throws IOException {
    String site = host + ":" + port;
    List<String> lines =
        List.of(
            "POST " + path + " HTTP/1.1",
            "Host: " + site,
            "Origin: http://" + site,
            "Sec-Fetch-Site: same-origin",
            "Content-Type: application/json",
            "Content-Length: " + body.length());
    String request = String.join("\r\n", lines) + "\r\n\r\n" + body;
    try (RawClient client = new RawClient(port, 60_000)) {
      client.send(request.getBytes(StandardCharsets.US_ASCII));
      return Objects.requireNonNull(client.read(false)).status();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"evil.example", "127.0.0.1.evil.example", "localhost.evil.example", "a"})
  void pageWithReboundDnsNameIsRejected(String host) throws Exception {
    try (TestServer served = TestServer.open(RULES, DOMAINS)) {
      int port = served.server.port();
      assertThat(rebound(port, host, "/v1/decide", TAKE)).isEqualTo(403);
      assertThat(rebound(port, host, "/v1/release", "{\"permit\": \"AAAA\"}")).isEqualTo(403);
      assertThat(rebound(port, host, "/json", ASK)).isEqualTo(403);
      isUntouched(served);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "localhost", "[::1]", "192.0.2.7", "weir.example"})
  void pageThatUsesAnAllowedHostIsAccepted(String host) throws Exception {
    ServerSettings named = ServerSettings.DEFAULT.withAdminNames(Set.of("weir.example"));
    try (TestServer served = TestServer.with(RULES, named)) {
      assertThat(rebound(served.server.port(), host, "/v1/decide", TAKE)).isEqualTo(200);
    }
  }

  @Test
  void gatewayMayCheckRequestsOfAnySite() {
    // The gateway passes on the headers of its client.
    try (TestServer served = TestServer.open(RULES)) {
      String[] headers = {"Origin", "https://shop.example", "Sec-Fetch-Site", "cross-site"};
      assertThat(served.postWith("/v1/check/all", "", headers).statusCode()).isEqualTo(200);
    }
  }

  @Test
  void crossSiteRequestOverGrpcIsRejected() {
    Metadata page = new Metadata();
    page.put(Metadata.Key.of("origin", Metadata.ASCII_STRING_MARSHALLER), "https://evil.example");
    try (TestServer served = TestServer.open(RULES, DOMAINS);
        RlsClient client = RlsClient.anonymous(served.server.grpcPort())) {
      RateLimitRequest asked = request(about("one", "a")).build();
      assertThatThrownBy(
              () ->
                  client
                      .stub()
                      .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(page))
                      .shouldRateLimit(asked))
          .isInstanceOfSatisfying(
              StatusRuntimeException.class,
              refused ->
                  assertThat(refused.getStatus().getCode())
                      .isEqualTo(Status.Code.PERMISSION_DENIED));
      assertThat(remaining(client.ask(about("one", "a")))).containsExactly(8);
    }
  }

  @Test
  void withEnvoyVariablesContentTypeIsOptional() {
    ServerSettings theirs = ServerSettings.DEFAULT.withRls(RlsSettings.DEFAULT.withPlainErrors());
    try (TestServer served = TestServer.with(RULES, theirs, new MemoryStore(), DOMAINS)) {
      assertThat(served.postWith("/json", ASK).statusCode()).isEqualTo(200);
      String[] form = {"Content-Type", "application/x-www-form-urlencoded"};
      assertThat(served.postWith("/json", ASK, form).statusCode()).isEqualTo(200);
      for (String[] page :
          new String[][] {
            {"Origin", "https://evil.example"}, {"Sec-Fetch-Site", "cross-site"}, {"Origin", "null"}
          }) {
        assertThat(served.postWith("/json", ASK, page).statusCode()).isEqualTo(403);
      }
    }
  }
}
