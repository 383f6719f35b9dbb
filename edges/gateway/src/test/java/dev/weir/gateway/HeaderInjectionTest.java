package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.RawHttp2;
import java.io.IOException;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Header fields that would become others, or requests of their own, behind the gateway. */
class HeaderInjectionTest {
  private static final int OK = 200;
  private static final int BAD_REQUEST = 400;
  private static final int TOO_LARGE = 431;
  private static final int MAX_HEADER = 32 << 10;
  private static final int RESET = 0;

  private static final String END = "Host: a\r\nConnection: close\r\n\r\n";

  private static final AbusedGateway abused = AbusedGateway.start();

  @BeforeEach
  void begin() {
    abused.begin();
  }

  @AfterAll
  static void close() throws IOException {
    abused.close();
  }

  /** Nothing of the attack is in a header, a target or a request of its own. */
  private void assertNothingInjected() {
    abused.upstream.received.forEach(
        one -> {
          assertThat(one.method()).isIn("GET", "POST");
          assertThat(one.has("Injected")).as(one.toString()).isFalse();
          assertThat(one.values("Host")).hasSizeLessThanOrEqualTo(1);
          assertThat(one.values("Content-Length").size() + one.values("Transfer-Encoding").size())
              .isLessThanOrEqualTo(1);
          one.values("X-Request-Id").forEach(id -> assertThat(id).matches("[0-9a-f]{32}|mine"));
        });
    abused.assertSound();
  }

  /** Sends a request over HTTP/2, and returns the status of the response or {@link #RESET}. */
  private int http2(String... headers) throws IOException {
    try (RawHttp client = abused.connect()) {
      RawHttp2 http2 = abused.http2(client);
      http2.send(
          RawHttp2.HEADERS,
          RawHttp2.END_HEADERS | RawHttp2.END_STREAM,
          1,
          RawHttp2.headers(headers));
      return http2.readStatus();
    }
  }

  private static String[] with(String name, String value) {
    return new String[] {
      ":method", "GET", ":scheme", "http", ":authority", "a", ":path", "/x", name, value
    };
  }

  static List<String> requestIds() {
    List<String> all =
        new ArrayList<>(
            List.of(
                "a\rInjected: 1",
                "a\nInjected: 1",
                "a\u0000b",
                "\u0000",
                "a\u007fb",
                "\u00e4\u00f6\u00fc",
                "<script>",
                ""));
    all.add("a".repeat(64 << 10));
    return all;
  }

  @ParameterizedTest
  @MethodSource("requestIds")
  void requestIdOverHttp1(String id) throws IOException {
    for (boolean trusted : new boolean[] {false, true}) {
      trust(trusted);
      String answer;
      try {
        answer = abused.send("GET /x HTTP/1.1\r\nX-Request-Id: " + id + "\r\n" + END);
      } catch (SocketException closedBeforeAllWasRead) {
        answer = "";
      }
      assertThat(answer).doesNotContain("Injected: 1").doesNotContain("<script>");
      assertNothingInjected();
    }
  }

  @ParameterizedTest
  @MethodSource("requestIds")
  void requestIdOverHttp2(String id) throws IOException {
    for (boolean trusted : new boolean[] {false, true}) {
      trust(trusted);
      int status = http2(with("x-request-id", id));
      if (id.length() > MAX_HEADER || id.chars().anyMatch(Character::isISOControl)) {
        assertThat(status).isIn(BAD_REQUEST, TOO_LARGE, RESET);
      } else {
        assertThat(status).isEqualTo(OK);
      }
      assertNothingInjected();
    }
  }

  private void trust(boolean trusted) {
    String rules = "rules: [{name: all, limit: 1000000/30d, algorithm: fixed-window}]\n";
    abused.gateway.reload((trusted ? "trusted-proxies: [127.0.0.1]\n" : "") + rules);
  }

  @Test
  void validRequestIdOfATrustedProxyIsKept() throws IOException {
    trust(true);
    assertThat(http2(with("x-request-id", "mine"))).isEqualTo(OK);
    assertThat(abused.upstream.received.get(0).values("X-Request-Id")).containsExactly("mine");
    assertNothingInjected();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a\r\nInjected: 1",
        "a\nInjected: 1",
        "a\rInjected: 1",
        "a\r\n\r\nGET /hidden HTTP/1.1\r\nHost: a\r\n\r\n",
        "a\u0000Injected",
        "a\u0001b"
      })
  void valuesOverHttp2(String value) throws IOException {
    for (String name : List.of("x-any", "cookie", "traceparent", "user-agent", "referer")) {
      assertThat(http2(with(name, value))).as(name).isIn(BAD_REQUEST, RESET);
    }
    assertThat(abused.upstream.received).isEmpty();
    assertNothingInjected();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "x\r\nInjected",
        "x: y\r\nInjected",
        "x\nInjected",
        "x y",
        "x:",
        "X-Upper",
        "x\u0000",
        "",
        "x\u00e4",
        "(x)"
      })
  void namesOverHttp2(String name) throws IOException {
    assertThat(http2(with(name, "1"))).isIn(BAD_REQUEST, RESET);
    assertThat(abused.upstream.received).isEmpty();
    assertNothingInjected();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /hidden HTTP/1.1\r\nHost: b\r\n\r\nGET",
        "GET\r\nInjected: 1",
        "G T",
        "",
        "GET\u0000"
      })
  void methodsOverHttp2(String method) throws IOException {
    int status =
        http2(":method", method, ":scheme", "http", ":authority", "a", ":path", "/x", "y", "z");
    assertThat(status).isIn(BAD_REQUEST, RESET);
    assertThat(abused.upstream.received).isEmpty();
    assertNothingInjected();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/x HTTP/1.1\r\nInjected: 1",
        "/x HTTP/1.1\r\n\r\nGET /hidden",
        "/x\n",
        "/ x",
        "/\u00e4",
        "/x#y",
        "",
        "x",
        "*",
        "http://b/x"
      })
  void pathsOverHttp2(String path) throws IOException {
    int status = http2(":method", "GET", ":scheme", "http", ":authority", "a", ":path", path);
    assertThat(status).isIn(BAD_REQUEST, RESET);
    assertThat(abused.upstream.received).isEmpty();
    assertNothingInjected();
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\r\nInjected: 1", "a b", "a/b", "u@a", "", "a,b", "a\u0000"})
  void authoritiesOverHttp2(String authority) throws IOException {
    int status = http2(":method", "GET", ":scheme", "http", ":authority", authority, ":path", "/x");
    assertThat(status).isIn(BAD_REQUEST, RESET);
    assertThat(abused.upstream.received).isEmpty();
    assertNothingInjected();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"transfer-encoding", "connection", "upgrade", "keep-alive", "proxy-connection"})
  void headersOfAConnectionOverHttp2(String name) throws IOException {
    int status = http2(with(name, name.equals("transfer-encoding") ? "chunked" : "x-any"));
    if (status == OK) {
      assertThat(abused.upstream.received.get(0).has(name)).isFalse();
    }
    assertNothingInjected();
  }

  /** A length that is not that of the frames: the rest would be a request to an HTTP/1 server. */
  @ParameterizedTest
  @ValueSource(strings = {"0", "1", "3", "5", "1000", "-1", "+4", "0x4", "4\r\nInjected: 1"})
  void lengthsOverHttp2(String length) throws IOException {
    try (RawHttp client = abused.connect()) {
      RawHttp2 http2 = abused.http2(client);
      String[] headers = with("content-length", length);
      headers[1] = "POST";
      http2.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 1, RawHttp2.headers(headers));
      http2.send(RawHttp2.DATA, RawHttp2.END_STREAM, 1, new byte[] {'G', 'E', 'T', ' '});
      assertThat(http2.readStatus()).isIn(BAD_REQUEST, RESET);
    } catch (SocketException closed) {
      // The gateway did not wait for the body.
    }
    assertThat(abused.upstream.received).isEmpty();
    assertNothingInjected();
  }
}
