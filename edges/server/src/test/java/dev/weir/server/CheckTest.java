package dev.weir.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.Test;

class CheckTest {
  private static final String RULES =
      """
      trusted-proxies: [127.0.0.1/32]
      identity: {key: header X-Key}
      rules:
        - {name: per-key, per: key, limit: 3/hour}
        - {name: login, match: {method: POST, path: /login}, per: ip, limit: 1/hour}
        - {name: flight, match: {path: /slow}, concurrent: 1}
      """;

  @Test
  void headersCountDownUntilTheRequestIsDenied() {
    try (TestServer served = TestServer.with(RULES)) {
      for (int left = 2; left >= 0; left--) {
        HttpResponse<String> allowed = served.get("/v1/check/", "X-Key", "a");
        assertThat(allowed.statusCode()).isEqualTo(200);
        assertThat(allowed.body()).isEmpty();
        assertThat(header(allowed, "X-RateLimit-Limit")).isEqualTo("3");
        assertThat(header(allowed, "X-RateLimit-Remaining")).isEqualTo("" + left);
        assertThat(header(allowed, "RateLimit-Policy")).isEqualTo("\"per-key\";q=3;w=3600");
        assertThat(header(allowed, "RateLimit")).startsWith("\"per-key\";r=" + left + ";t=");
      }
      HttpResponse<String> denied = served.get("/v1/check/", "X-Key", "a");
      assertThat(denied.statusCode()).isEqualTo(429);
      long wait = Long.parseLong(header(denied, "Retry-After"));
      assertThat(wait).isBetween(1_190L, 1_200L);
      assertThat(header(denied, "RateLimit")).isEqualTo("\"per-key\";r=0;t=" + wait);
      assertThat(header(denied, "Content-Type")).isEqualTo("application/problem+json");
      assertThat(header(denied, "Cache-Control")).isEqualTo("no-store");
      JsonObject problem = new JsonObject(denied.body());
      assertThat(problem.getString("type"))
          .isEqualTo("https://iana.org/assignments/http-problem-types#quota-exceeded");
      assertThat(problem.getInteger("status")).isEqualTo(429);
      assertThat(problem.getJsonArray("violated-policies"))
          .isEqualTo(new JsonArray(List.of("per-key")));
      assertThat(served.get("/v1/check/", "X-Key", "b").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void gatewayMaySelectStatusAndBodyOfDenials() {
    try (TestServer served = TestServer.with("rules: [{name: none, limit: blocked}]")) {
      assertThat(served.get("/v1/check?deny=403", TestServer.forwardedHeaders("/")).statusCode())
          .isEqualTo(403);
      HttpResponse<String> plain =
          served.get("/v1/check?body=plain", TestServer.forwardedHeaders("/"));
      assertThat(plain.statusCode()).isEqualTo(429);
      assertThat(plain.body()).isEqualTo("{\"error\":\"rate_limit_exceeded\"}");
      // Waiting does not help a blocked caller.
      assertThat(plain.headers().firstValue("Retry-After")).isEmpty();
    }
  }

  @Test
  void undecodableQueryIsDeniedLikeAnyOther() {
    try (TestServer served = TestServer.with("rules: [{name: none, limit: blocked}]")) {
      try (RawClient client = new RawClient(served.server.port(), 60_000)) {
        for (String target :
            List.of("/v1/check/?%", "/v1/check/x?deny=%zz", "/v1/check/?body=%C3")) {
          client.send(("GET " + target + " HTTP/1.1\r\nHost: h\r\n\r\n").getBytes(US_ASCII));
          assertThat(client.read(false)).extracting("status").isEqualTo(429);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Test
  void queryAfterTrailingPathBelongsToTheClient() {
    try (TestServer served = TestServer.with("rules: [{name: none, limit: blocked}]")) {
      for (String target : List.of("/v1/check/x?deny=403", "/v1/check/?deny=403&body=plain")) {
        HttpResponse<String> denied = served.get(target);
        assertThat(denied.statusCode()).isEqualTo(429);
        assertThat(header(denied, "Content-Type")).isEqualTo("application/problem+json");
      }
    }
  }

  @Test
  void otherHttpVersionsAndDuplicateHostsAreRejectedWithReason() throws IOException {
    try (TestServer served = TestServer.with("rules: [{name: some, limit: 100/hour}]")) {
      for (String request :
          List.of(
              "GET /v1/check/ HTTP/1.2\r\nHost: h\r\n\r\n",
              "GET /v1/check hTTP/1.1\r\nHost: h\r\n\r\n",
              "GET /v1/check http/1.0\r\nHost: h\r\n\r\n",
              "GET /v1/check/ HTTP/3.0\r\nHost: h\r\n\r\n",
              "GET /v1/check/ HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
              "GET /v1/check/ HTTP/1.1\r\nHost: a\r\nhost: a\r\n\r\n")) {
        try (RawClient client = new RawClient(served.server.port(), 60_000)) {
          client.send(request.getBytes(US_ASCII));
          RawClient.Response response = client.read(false);
          assertThat(response).extracting("status").as(request).isEqualTo(400);
          assertThat(response).extracting("bodyBytes").as(request).isNotEqualTo(0);
        }
      }
    }
  }

  /** With a path in the URL, forwarded headers of the client are ignored. */
  @Test
  void trailingPathIsTheOriginalPathWhateverHeadersSay() {
    try (TestServer served = TestServer.with(RULES)) {
      assertThat(served.post("/v1/check/login", "").statusCode()).isEqualTo(200);
      assertThat(served.post("/v1/check/login", "").statusCode()).isEqualTo(429);
      var forged =
          java.net.http.HttpRequest.newBuilder(served.uri("/v1/check/login"))
              .headers(TestServer.forwardedHeaders("/harmless"))
              .POST(java.net.http.HttpRequest.BodyPublishers.noBody())
              .build();
      assertThat(served.send(forged).statusCode()).isEqualTo(429);
    }
  }

  @Test
  void inFlightLimitsAreSkipped() {
    try (TestServer served = TestServer.with(RULES)) {
      for (int i = 0; i < 3; i++) {
        assertThat(served.get("/v1/check/slow", "X-Key", "k").statusCode()).isEqualTo(200);
      }
    }
  }

  static String header(HttpResponse<?> response, String name) {
    return response.headers().firstValue(name).orElse("");
  }
}
