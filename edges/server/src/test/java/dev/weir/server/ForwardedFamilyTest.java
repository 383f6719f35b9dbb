package dev.weir.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A gateway describes the original request in one header family; the other is the client's. */
class ForwardedFamilyTest {
  private static final String RULES =
      """
      rules:
        - {name: login, match: {path: /login}, limit: blocked}
        - {name: post, match: {method: POST}, limit: blocked}
        - {name: shop, match: {host: shop.example}, limit: blocked}
        - {name: cafe, match: {path: /café}, limit: blocked}
      """;

  private static final List<String> FAMILIES = List.of("Forwarded", "Original");
  private static final int ALLOWED = 200;
  private static final int DENIED = 429;

  private final StringBuilder head = new StringBuilder();

  private ForwardedFamilyTest ask(String parameters) {
    head.setLength(0);
    head.append("GET /v1/check").append(parameters).append(" HTTP/1.1\r\nHost: h\r\n");
    return this;
  }

  private ForwardedFamilyTest with(String line) {
    head.append(line).append("\r\n");
    return this;
  }

  /** Adds the headers that a gateway of this family writes. */
  private ForwardedFamilyTest forwarded(String family, String method, String uri, String host) {
    return with("X-" + family + "-Method: " + method)
        .with("X-" + family + "-Uri: " + uri)
        .with("X-" + family + "-Host: " + host);
  }

  private int status(TestServer served) throws IOException {
    try (RawClient client = new RawClient(served.server.port(), 30_000)) {
      client.send((head + "\r\n").getBytes(ISO_8859_1));
      return requireNonNull(client.read(false)).status();
    }
  }

  private static String parameters(String family) {
    return ";headers=" + family.toLowerCase(java.util.Locale.ROOT);
  }

  @Test
  void eachHeaderFamilyDescribesTheRequest() throws IOException {
    try (TestServer served = TestServer.with(RULES)) {
      for (String family : FAMILIES) {
        String at = parameters(family);
        assertThat(ask(at).forwarded(family, "GET", "/", "h").status(served)).isEqualTo(ALLOWED);
        assertThat(ask(at).forwarded(family, "GET", "/login?a", "h").status(served))
            .isEqualTo(DENIED);
        assertThat(ask(at).forwarded(family, "POST", "/", "h").status(served)).isEqualTo(DENIED);
        assertThat(ask(at).forwarded(family, "GET", "/", "Shop.example:80").status(served))
            .isEqualTo(DENIED);
      }
      assertThat(ask("").forwarded("Forwarded", "GET", "/login", "h").status(served))
          .isEqualTo(DENIED);
    }
  }

  /** The client sends the family that the gateway does not write. */
  @Test
  void theOtherFamilyIsIgnored() throws IOException {
    try (TestServer served = TestServer.with(RULES)) {
      for (String family : FAMILIES) {
        String other = family.equals("Original") ? "Forwarded" : "Original";
        for (boolean before : new boolean[] {true, false}) {
          for (String[] request :
              new String[][] {
                {"GET", "/login", "h"}, {"POST", "/", "h"}, {"GET", "/", "shop.example"}
              }) {
            ask(parameters(family));
            if (before) {
              forwarded(other, "GET", "/harmless", "h");
            }
            forwarded(family, request[0], request[1], request[2]);
            if (!before) {
              forwarded(other, "GET", "/harmless", "h");
            }
            assertThat(status(served)).as(head.toString()).isEqualTo(DENIED);
          }
        }
      }
    }
  }

  @Test
  void headerWithTwoValuesMatchesEveryRuleOnIt() throws IOException {
    try (TestServer served = TestServer.with(RULES)) {
      for (String family : FAMILIES) {
        String x = "X-" + family;
        for (String second : List.of("-Uri: /other", "-Method: PUT", "-Host: other")) {
          ask(parameters(family)).forwarded(family, "GET", "/", "h").with(x + second);
          assertThat(status(served)).as(head.toString()).isEqualTo(DENIED);
        }
        ask(parameters(family)).forwarded(family, "GET", "/", "h").with(x + "-Uri: /");
        assertThat(status(served)).as("twice the same").isEqualTo(ALLOWED);
      }
    }
  }

  @Test
  void headerNamedInConnectionMatchesEveryRuleOnIt() throws IOException {
    try (TestServer served = TestServer.with(RULES)) {
      for (String family : FAMILIES) {
        for (String part : List.of("uri", "Method", "HOST")) {
          ask(parameters(family))
              .forwarded(family, "GET", "/", "h")
              .with("Connection: keep-alive, x-" + family + "-" + part);
          assertThat(status(served)).as(head.toString()).isEqualTo(DENIED);
        }
      }
    }
  }

  /** Without a description of the request, limits must not seem to be enforced. */
  @Test
  void missingForwardedHeadersAreRejected() {
    try (TestServer served = TestServer.with(RULES)) {
      String[] all = TestServer.forwardedHeaders("/");
      assertThat(served.get("/v1/check", all).statusCode()).isEqualTo(ALLOWED);
      assertThat(refusal(served.get("/v1/check")))
          .isEqualTo(
              "X-Forwarded-Uri: absent (expected: the original request in X-Forwarded-Method, -Uri"
                  + " and -Host; or a path behind /v1/check; or X-Original-Method, -Uri and -Host"
                  + " for /v1/check;headers=original)");
      assertThat(refusal(served.get("/v1/check;headers=original", all)))
          .startsWith("X-Original-Uri: absent (expected: ");
      for (int missing = 0; missing < all.length; missing += 2) {
        List<String> some = new java.util.ArrayList<>(List.of(all));
        String name = some.remove(missing);
        some.remove(missing);
        assertThat(refusal(served.get("/v1/check?deny=403", some.toArray(String[]::new))))
            .startsWith(name + ": absent (expected: ");
      }
      assertThat(refusal(served.get("/v1/check", TestServer.forwardedHeaders(""))))
          .startsWith("X-Forwarded-Uri: absent");
    }
  }

  private static String refusal(HttpResponse<String> response) {
    assertThat(response.statusCode()).isEqualTo(400);
    return new JsonObject(response.body()).getString("detail");
  }

  @Test
  void pathInUrlAndHeadersIsRejected() {
    try (TestServer served = TestServer.with(RULES)) {
      assertThat(
              refusal(
                  served.get("/v1/check;headers=forwarded/a", TestServer.forwardedHeaders("/b"))))
          .isEqualTo(
              "path: /a (expected: no path behind ;headers=, which says that headers tell it)");
    }
  }

  /** The path is matched in every reading, however it is sent. */
  @Test
  void everyReadingOfThePathIsMatched() throws IOException {
    try (TestServer served = TestServer.with(RULES)) {
      for (String path :
          List.of("/login;x=%2Fy", "/x%5Cy%2F..%2Flogin", "/caf\u00c3\u00a9", "/caf%c3%a9")) {
        assertThat(ask("").forwarded("Forwarded", "GET", path, "h").status(served))
            .as(path)
            .isEqualTo(DENIED);
      }
      assertThat(ask("/login;x=%2Fy").status(served)).isEqualTo(DENIED);
      assertThat(ask("/x%5Cy%2F..%2Flogin").status(served)).isEqualTo(DENIED);
      assertThat(ask("/projects/group%2Fname").status(served)).isEqualTo(ALLOWED);
    }
  }
}
