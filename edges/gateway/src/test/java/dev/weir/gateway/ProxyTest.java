package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.gateway.ScriptedUpstream.Received;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What reaches the upstream, and what comes back. */
class ProxyTest {
  private final ScriptedUpstream upstream =
      ScriptedUpstream.that(
          (request, socket) ->
              ScriptedUpstream.write(
                  socket,
                  request.method().equals("HEAD")
                      ? "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"
                      : "HTTP/1.1 201 Created\r\nContent-Length: 5\r\nX-Answer: yes\r\n"
                          + "Connection: X-Private, keep-alive\r\nX-Private: 1\r\n"
                          + "Keep-Alive: timeout=5\r\n\r\nhello"));

  private final TestGateway gateway = TestGateway.to(TestGateway.OPEN, upstream.url());

  @AfterEach
  void close() throws IOException {
    gateway.close();
    upstream.close();
  }

  private Received only() {
    assertThat(upstream.received).hasSize(1);
    return upstream.received.get(0);
  }

  @Test
  void requestReachesTheUpstreamAsItWasSent() {
    HttpResponse<String> response =
        gateway.send(
            gateway
                .request("/a/b%2Fc?q=1&r=%20")
                .header("X-Mine", "1")
                .POST(BodyPublishers.ofString("body")));
    assertThat(response.statusCode()).isEqualTo(201);
    assertThat(response.body()).isEqualTo("hello");
    assertThat(only().line()).isEqualTo("POST /a/b%2Fc?q=1&r=%20 HTTP/1.1");
    assertThat(only().body()).isEqualTo("body");
    assertThat(only().values("X-Mine")).containsExactly("1");
    assertThat(only().values("Content-Length")).containsExactly("4");
    assertThat(only().values("Host")).containsExactly("127.0.0.1:" + gateway.port());
  }

  @Test
  void responseHasTheHeadersOfTheUpstreamAndOfTheLimit() {
    HttpResponse<String> response = gateway.get("/");
    assertThat(response.headers().firstValue("X-Answer")).contains("yes");
    assertThat(response.headers().firstValue("X-RateLimit-Limit")).contains("1000000");
    assertThat(response.headers().firstValue("RateLimit-Policy").orElseThrow()).contains("\"all\"");
    assertThat(response.headers().map()).doesNotContainKeys("x-private", "keep-alive");
    assertThat(only().values("X-Request-Id"))
        .containsExactly(response.headers().firstValue("X-Request-Id").orElseThrow());
  }

  @Test
  void headersOfTheConnectionStayOnIt() throws IOException {
    String answer =
        RawHttp.exchange(
            gateway.port(),
            "GET / HTTP/1.1\r\nHost: a\r\nConnection: close, X-Hop\r\nX-Hop: 1\r\nTE: gzip\r\n"
                + "Keep-Alive: 1\r\nProxy-Authorization: x\r\nUpgrade: other\r\n"
                + "Proxy-Connection: close\r\n\r\n");
    assertThat(answer).startsWith("HTTP/1.1 201");
    for (String name :
        List.of(
            "X-Hop",
            "TE",
            "Keep-Alive",
            "Proxy-Authorization",
            "Upgrade",
            "Proxy-Connection",
            "Connection")) {
      assertThat(only().has(name)).as(name).isFalse();
    }
  }

  @Test
  void clientCannotSayWhereItComesFrom() {
    gateway.send(
        gateway
            .request("/")
            .header("X-Forwarded-For", "6.6.6.6")
            .header("X_Forwarded_For", "6.6.6.6")
            .header("Forwarded", "for=6.6.6.6")
            .header("X-Forwarded-Proto", "https")
            .header("X-Forwarded-Host", "evil")
            .header("X-Forwarded-Prefix", "/admin")
            .header("X-Real-IP", "6.6.6.6")
            .header("X-Original-URL", "/admin")
            .header("X-Rewrite-URL", "/admin")
            .header("X-Request-Id", "mine"));
    assertThat(String.join("\n", only().headers()))
        .doesNotContain("6.6.6.6")
        .doesNotContain("evil")
        .doesNotContain("/admin")
        .doesNotContain("mine");
    assertThat(only().values("X-Forwarded-For")).containsExactly("127.0.0.1");
    assertThat(only().values("X-Forwarded-Proto")).containsExactly("http");
    assertThat(only().values("X-Forwarded-Host")).containsExactly("127.0.0.1:" + gateway.port());
    assertThat(only().values("Forwarded"))
        .containsExactly("for=127.0.0.1;host=\"127.0.0.1:" + gateway.port() + "\";proto=http");
  }

  @Test
  void trustedProxyIsBelievedAndExtended() {
    gateway.reload("trusted-proxies: [127.0.0.1]\n" + TestGateway.OPEN);
    gateway.send(
        gateway
            .request("/")
            .header("X-Forwarded-For", "6.6.6.6")
            .header("Forwarded", "for=6.6.6.6")
            .header("X-Forwarded-Proto", "https")
            .header("X-Request-Id", "mine"));
    assertThat(only().values("X-Forwarded-For")).containsExactly("6.6.6.6, 127.0.0.1");
    assertThat(only().values("X-Forwarded-Proto")).containsExactly("https");
    assertThat(only().values("Forwarded").get(0)).startsWith("for=6.6.6.6, for=127.0.0.1;");
    assertThat(only().values("X-Request-Id")).containsExactly("mine");
  }

  @Test
  void traceContextIsPassedOnIfItIsValid() {
    String valid = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    gateway.send(gateway.request("/").header("traceparent", valid).header("tracestate", "a=1"));
    gateway.send(gateway.request("/").header("traceparent", "00-xyz").header("tracestate", "a=1"));
    assertThat(upstream.received.get(0).values("traceparent")).containsExactly(valid);
    assertThat(upstream.received.get(1).values("traceparent").get(0))
        .matches("00-[0-9a-f]{32}-[0-9a-f]{16}-00");
    assertThat(upstream.received.get(0).values("tracestate")).containsExactly("a=1");
    assertThat(upstream.received.get(1).has("tracestate")).isFalse();
  }

  @Test
  void chunkedBodyIsPassedOn() throws IOException {
    String answer =
        RawHttp.exchange(
            gateway.port(),
            "PUT / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n");
    assertThat(answer).startsWith("HTTP/1.1 201");
    assertThat(only().body()).isEqualTo("abcde");
    assertThat(only().values("Transfer-Encoding")).containsExactly("chunked");
  }

  @Test
  void headHasNoBodyButItsLength() throws IOException {
    String answer =
        RawHttp.exchange(gateway.port(), "HEAD / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    assertThat(answer).containsIgnoringCase("content-length: 5").endsWith("\r\n\r\n");
  }

  @Test
  void clientThatExpectsToContinueIsToldTo() throws IOException {
    try (RawHttp http = new RawHttp(gateway.port())) {
      http.send(
          "POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nExpect: 100-continue\r\n"
              + "Content-Length: 3\r\n\r\n");
      assertThat(http.readUntil("\r\n\r\n")).startsWith("HTTP/1.1 100");
      assertThat(http.send("abc").readAll()).startsWith("HTTP/1.1 201");
    }
    assertThat(only().has("Expect")).isFalse();
    assertThat(only().body()).isEqualTo("abc");
  }

  @Test
  void http2ClientsAreServed() throws Exception {
    HttpClient http2 = HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build();
    HttpResponse<String> first =
        http2.send(gateway.request("/x").build(), HttpResponse.BodyHandlers.ofString());
    HttpResponse<String> second =
        http2.send(
            gateway.request("/y").POST(BodyPublishers.ofString("body")).build(),
            HttpResponse.BodyHandlers.ofString());
    assertThat(first.body()).isEqualTo("hello");
    assertThat(second.version()).isEqualTo(HttpClient.Version.HTTP_2);
    assertThat(second.statusCode()).isEqualTo(201);
    assertThat(upstream.received.get(1).body()).isEqualTo("body");
    assertThat(upstream.received.get(0).has("Transfer-Encoding")).isFalse();
  }

  @Test
  void connectionsToTheUpstreamAreUsedAgain() {
    for (int i = 0; i < 20; i++) {
      assertThat(gateway.get("/").statusCode()).isEqualTo(201);
    }
    assertThat(upstream.connections.get()).isLessThanOrEqualTo(2);
  }

  @Test
  void absoluteFormBecomesAPath() throws IOException {
    String answer =
        RawHttp.exchange(
            gateway.port(), "GET http://a/x?y HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    assertThat(answer).startsWith("HTTP/1.1 201");
    assertThat(only().line()).isEqualTo("GET /x?y HTTP/1.1");
  }
}
