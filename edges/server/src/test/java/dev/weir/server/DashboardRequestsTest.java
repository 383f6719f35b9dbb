package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** How the explain box reads what somebody pastes. The page's own script runs in a real browser. */
class DashboardRequestsTest extends BrowserFixture {
  private static final String RULES = "rules:\n  - {name: all, limit: 1000/second}\n";

  private static @Nullable TestServer served;
  private static @Nullable DashboardPage page;

  @BeforeEach
  void openOnce() {
    if (page == null) {
      served = TestServer.with(RULES);
      page = DashboardPage.of(served, browser());
    }
  }

  @AfterAll
  static void leave() {
    if (page != null) {
      page.close();
    }
    if (served != null) {
      served.close();
    }
  }

  private String parse(String text, String peer) {
    return String.valueOf(
        Objects.requireNonNull(page)
            .run(
                """
            return import('/dashboard/request.js').then(({ parseRequest }) => {
              try {
                return JSON.stringify(parseRequest(arguments[0], arguments[1]).body);
              } catch (failure) {
                return failure.message;
              }
            });
            """,
                text,
                peer));
  }

  static Stream<Arguments> requests() {
    return Stream.of(
        Arguments.of("/hello", "GET", "/hello", "[]"),
        Arguments.of("POST /login HTTP/1.1", "POST", "/login", "[]"),
        Arguments.of(
            "PUT /a?b=c\nHost: h\nX-Key: k\n\nthe body",
            "PUT",
            "/a?b=c",
            "[\"Host: h\",\"X-Key: k\"]"),
        Arguments.of("https://h:8443/a#b", "GET", "/a", "[\"Host: h:8443\"]"),
        Arguments.of("https://h?a=b", "GET", "/?a=b", "[\"Host: h\"]"),
        Arguments.of("DELETE https://h/a%2Fb/../c", "DELETE", "/a%2Fb/../c", "[\"Host: h\"]"),
        Arguments.of("curl h/a", "GET", "/a", "[\"Host: h\"]"),
        Arguments.of("$ curl -sSfL --compressed https://h/a | jq .", "GET", "/a", "[\"Host: h\"]"),
        Arguments.of("curl -XDELETE https://h/a", "DELETE", "/a", "[\"Host: h\"]"),
        Arguments.of("curl -I https://h/", "HEAD", "/", "[\"Host: h\"]"),
        Arguments.of(
            "curl --request=PATCH --url 'https://h/a b'", "PATCH", "/a b", "[\"Host: h\"]"),
        Arguments.of(
            "curl 'https://h/a' \\\n  -H 'X-Key: it'\\''s' \\\n  --header=\"A: \\\"b\\\"\"",
            "GET",
            "/a",
            "[\"Host: h\",\"X-Key: it's\",\"A: \\\"b\\\"\"]"),
        Arguments.of(
            "curl https://h/a -u ann:ä -b 'a=1; b=2' -A agent -H 'Accept;' -H 'Empty:'",
            "GET",
            "/a",
            "[\"Host: h\",\"Authorization: Basic YW5uOsOk\",\"Cookie: a=1; b=2\",\"User-Agent: agent\"]"),
        Arguments.of(
            "curl https://h/a --data-raw $'a\\nb' -d c -o out.txt --max-time 3",
            "POST",
            "/a",
            "[\"Host: h\",\"Content-Type: application/x-www-form-urlencoded\"]"),
        Arguments.of(
            "curl --json '{}' https://h/a -H 'content-type: text/plain'",
            "POST",
            "/a",
            "[\"Host: h\",\"content-type: text/plain\"]"),
        Arguments.of("curl -G https://h/a?x=1 -d y=2 -d z", "GET", "/a?x=1&y=2&z", "[\"Host: h\"]"),
        Arguments.of(
            "curl https://u:p%40@h/a -H 'Host: other'",
            "GET", "/a", "[\"Host: other\",\"Authorization: Basic dTpwQA==\"]"),
        Arguments.of("curl -T file https://h/a", "PUT", "/a", "[\"Host: h\"]"));
  }

  @ParameterizedTest
  @MethodSource("requests")
  void requestIsReadAsTheProgramWouldSendIt(
      String text, String method, String target, String headers) {
    String read = parse(text, "");
    assertThat(read).startsWith("{");
    JsonObject request = new JsonObject(read).getJsonObject("request");
    assertThat(request.getString("method")).isEqualTo(method);
    assertThat(request.getString("target")).isEqualTo(target);
    assertThat(request.getJsonArray("headers").encode()).isEqualTo(headers);
    assertThat(request.containsKey("peer")).isFalse();
  }

  static Stream<Arguments> values() {
    return Stream.of(
        Arguments.of("path=/a, ip=192.0.2.1", "{\"path\":\"/a\",\"ip\":\"192.0.2.1\"}"),
        Arguments.of("header x-key = \"a, \\\"b\\\"\"", "{\"header x-key\":\"a, \\\"b\\\"\"}"),
        Arguments.of("path=/a\nentry tenant=acme", "{\"path\":\"/a\",\"entry tenant\":\"acme\"}"),
        Arguments.of("path=/a?b=c", "{\"path\":\"/a?b=c\"}"),
        Arguments.of("{\"path\": \"/a\", \"entry n\": 3}", "{\"path\":\"/a\",\"entry n\":\"3\"}"));
  }

  @ParameterizedTest
  @MethodSource("values")
  void valuesAreReadAsPairsOrJson(String text, String values) {
    assertThat(parse(text, "")).isEqualTo("{\"values\":" + values + "}");
  }

  static Stream<Arguments> refused() {
    return Stream.of(
        Arguments.of("", "nothing to explain (expected: a curl line"),
        Arguments.of("hello", "not understood: hello (expected: a curl line"),
        Arguments.of("curl -X POST", "no URL in the curl line (expected: curl https://host/path)"),
        Arguments.of("curl 'https://h", "a quote ' has no end (expected: another ')"),
        Arguments.of("{path", "not JSON: "),
        Arguments.of("a=1, b", "not understood: "),
        Arguments.of("GET /a\nnonsense", "not a header: nonsense (expected: Name: value)"),
        Arguments.of("https://", "not a URL: https:// (expected: https://host/path)"));
  }

  @ParameterizedTest
  @MethodSource("refused")
  void whatMakesNoSenseIsRefusedInWords(String text, String problem) {
    assertThat(parse(text, "")).startsWith(problem);
  }

  @ParameterizedTest
  @MethodSource("requests")
  void addressIsAddedIfItIsGiven(String text) {
    assertThat(
            new JsonObject(parse(text, " 203.0.113.7 ")).getJsonObject("request").getString("peer"))
        .isEqualTo("203.0.113.7");
  }
}
