package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.RawHttp2;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Spellings of a path that try to slip past a rule, or past a route to another upstream. */
class HiddenPathTest {
  private static final ScriptedUpstream admin = ScriptedUpstream.that(AbusedGateway::echo);
  private static final ScriptedUpstream open = ScriptedUpstream.that(AbusedGateway::echo);
  private static final String RULES =
      "upstreams: {admin: \""
          + admin.url()
          + "\", open: \""
          + open.url()
          + "\"}\nroutes:\n"
          + "  - {match: {path: /admin/**}, upstream: admin}\n"
          + "  - {match: {path: /**}, upstream: open}\n"
          + "rules: [{name: admin, match: {path: /admin/**}, limit: 1/30d}]\n";
  private static final TestGateway gateway = TestGateway.configured(RULES);

  @BeforeAll
  static void useUpTheLimit() {
    assertThat(gateway.get("/admin/x").statusCode()).isEqualTo(200);
    assertThat(gateway.get("/admin/x").statusCode()).isEqualTo(429);
    assertThat(gateway.get("/other").statusCode()).isEqualTo(200);
  }

  @AfterAll
  static void close() throws IOException {
    gateway.awaitInFlight(0);
    gateway.close();
    admin.close();
    open.close();
  }

  private static int http1(String target) throws IOException {
    String answer =
        RawHttp.exchange(
            gateway.port(), "GET " + target + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    return Integer.parseInt(answer.substring(9, 12));
  }

  private static int http2(String target) throws IOException {
    try (RawHttp client = new RawHttp(gateway.port())) {
      RawHttp2 http2 = new RawHttp2(client.socket, 1 << 16);
      http2.send(
          RawHttp2.HEADERS,
          RawHttp2.END_HEADERS | RawHttp2.END_STREAM,
          1,
          Http2FloodTest.request("GET", target));
      return http2.readStatus();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/admin",
        "/admin/",
        "//admin",
        "///admin//x",
        "/%61dmin",
        "/%61%64%6d%69%6e/x",
        "/a/../admin",
        "/a/%2e%2e/admin",
        "/a/.%2e/admin/x",
        "/../admin",
        "/./admin",
        "/admin/.",
        "/admin/./x",
        "/admin/x/..",
        "/admin;x=1",
        "/admin;x=1/y",
        "/;x=1/admin",
        "/admin%2f",
        "/admin%2fx",
        "/admin%2F..%2Fadmin",
        "/a%2f..%2fadmin",
        "/a/..;/admin",
        "/a/..%3b/admin",
        "/admin%5cx",
        "/admin\\x",
        "\\admin",
        "/admin?x",
        "/admin?/../other",
        "/admin%3fx",
        "/admin%23x",
        "/admin%00",
        "/admin%20",
        "/admin.",
        "/%c0%afadmin",
        "/%u0061dmin",
        "/%2fadmin",
        "//other/admin",
        "/admin/../admin/x",
        "http://a/admin",
        "http://a//admin",
        "HTTP://a/%61dmin",
        "http://b/admin"
      })
  void spellingIsLimitedOrRefused(String target) throws IOException {
    int before = open.received.size() + admin.received.size();
    assertThat(http1(target)).as("HTTP/1").isIn(400, 404, 429);
    assertThat(http2(target)).as("HTTP/2").isIn(400, 404, 429);
    assertThat(open.received.size() + admin.received.size()).isEqualTo(before);
  }

  /** Nothing is decoded twice: no server does by default. */
  @ParameterizedTest
  @ValueSource(strings = {"/%2561dmin", "/administrator", "/a/admin", "/ADMIN"})
  void anotherPathIsAnotherPath(String target) throws IOException {
    assertThat(http1(target)).isEqualTo(200);
    assertThat(http2(target)).isEqualTo(200);
    assertThat(open.received.get(open.received.size() - 1).target()).isEqualTo(target);
  }

  @Test
  void upperCaseIsLimitedToo() throws IOException {
    try (TestGateway insensitive = TestGateway.configured("path-case: insensitive\n" + RULES)) {
      assertThat(insensitive.get("/admin/x").statusCode()).isEqualTo(200);
      assertThat(insensitive.get("/ADMIN/x").statusCode()).isEqualTo(429);
      assertThat(insensitive.get("/%41dmin/x").statusCode()).isEqualTo(429);
      insensitive.awaitInFlight(0);
    }
  }
}
