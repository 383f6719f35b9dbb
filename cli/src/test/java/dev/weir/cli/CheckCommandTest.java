package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.util.JSONObjectUtils;
import com.sun.net.httpserver.HttpServer;
import dev.weir.testkit.Ports;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What check says of a real server, and of what is none. */
class CheckCommandTest {
  private static final String RULES =
      """
      trusted-proxies: [127.0.0.1/32]
      lint-ignore: forgeable-key
      rules:
        - {name: each, match: {path: /login}, per: ip, limit: 2/hour}
        - {name: key, match: {path: /key}, per: header X-Key, limit: 1/hour}
        - {name: shop, match: {host: shop.example.com, method: DELETE}, limit: blocked}
        - {name: gone, match: {path: /gone}, limit: blocked, blocked-status: 403}
        - {name: drip, match: {path: /drip}, limit: 1/minute, algorithm: leaky-bucket, queue: 5}
      """;

  @TempDir private Path directory = Path.of("");

  private Live live() throws Exception {
    return Live.with(Files.writeString(directory.resolve("rules.yaml"), RULES));
  }

  private static Ran check(Object... words) {
    Object[] all = new Object[words.length + 1];
    all[0] = "check";
    System.arraycopy(words, 0, all, 1, words.length);
    return Ran.weir(all).isHarmless();
  }

  @Test
  void tellsTheDecisionAndHowTheLimitStands() throws Exception {
    try (Live live = live()) {
      Object[] login = {live.traffic(), "POST", "/login?x=ä", "--client", "203.0.113.7"};
      Ran allowed = check(login);
      assertThat(allowed.exit()).isEqualTo(0);
      assertThat(allowed.out())
          .matches(
              """
              POST /login\\?x=ä: allowed \\(200\\)
                tightest   each, 2 in 3600 s
                remaining  1 of 2
                reset      in 1[78]\\d\\d s, at 20[0-9T:-]+Z
                policy     each, 2 in 3600 s
              """);
      check(login);
      Ran denied = check(login);
      assertThat(denied.exit()).isEqualTo(1);
      assertThat(denied.err()).isEmpty();
      assertThat(denied.out())
          .matches(
              """
              POST /login\\?x=ä: denied \\(429\\)
                by         each, 2 in 3600 s
                retry      in 1[78]\\d\\d s
                remaining  0 of 2
                reset      in 3[56]\\d\\d s, at 20[0-9T:-]+Z
                policy     each, 2 in 3600 s
              """);
      // Another client, and the one that is really there.
      assertThat(check(live.traffic(), "POST", "/login", "--client", "::1").exit()).isEqualTo(0);
      assertThat(check(live.traffic(), "POST", "/login").exit()).isEqualTo(0);
      // Without a scheme as well.
      String bare = live.traffic().substring("http://".length());
      assertThat(check(bare, "GET", "/free").out())
          .isEqualTo(
              """
              GET /free: allowed (200)
                limits     none told: no rule applies, or the server sends no headers
              """);
    }
  }

  @Test
  void headersHostAndMethodArriveAsTheyAreSaid() throws Exception {
    try (Live live = live()) {
      Object[] key = {live.traffic(), "GET", "/key", "--header", "X-Key: a"};
      assertThat(check(key).exit()).isEqualTo(0);
      assertThat(check(key).exit()).isEqualTo(1);
      key[4] = "X-Key: b";
      assertThat(check(key).exit()).isEqualTo(0);
      Ran blocked = check(live.traffic(), "DELETE", "/", "--host", "shop.example.com");
      assertThat(blocked.exit()).isEqualTo(1);
      assertThat(blocked.out()).contains("  by         shop\n", "never: This caller is blocked.\n");
      Ran forbidden = check(live.traffic(), "GET", "/gone");
      assertThat(forbidden.exit()).isEqualTo(1);
      assertThat(forbidden.out()).startsWith("GET /gone: denied (403)\n  by         gone\n");
      Object[] byHeader = {live.traffic(), "DELETE", "/", "--header", "Host: shop.example.com"};
      assertThat(check(byHeader).exit()).isEqualTo(1);
      assertThat(check(live.traffic(), "GET", "/", "--host", "shop.example.com").exit())
          .isEqualTo(0);
      check(live.traffic(), "GET", "/drip");
      assertThat(check(live.traffic(), "GET", "/drip").out())
          .contains("hold it back for ", " ms\n");
    }
  }

  @Test
  void jsonHasTheSameToSay() throws Exception {
    try (Live live = live()) {
      Object[] login = {live.traffic(), "GET", "/login", "--json"};
      Map<String, Object> allowed = JSONObjectUtils.parse(check(login).out());
      assertThat(allowed).containsEntry("allowed", true).containsEntry("remaining", 1L);
      assertThat(Ran.at(allowed, "policies", 0, "quota")).isEqualTo("2");
      assertThat(Ran.at(allowed, "standings", 0, "remaining")).isEqualTo("1");
      check(login);
      Ran ran = check(login);
      Map<String, Object> denied = JSONObjectUtils.parse(ran.out());
      assertThat(ran.exit()).isEqualTo(1);
      assertThat(denied).containsEntry("allowed", false).containsEntry("status", 429L);
      assertThat(Ran.at(denied, "violated", 0)).isEqualTo("each");
      assertThat((Long) denied.get("retryAfterSeconds")).isBetween(1_700L, 1_800L);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "localhost | GET | / | URL: localhost (expected: an address such as http://127.0.0.1:8080)",
        "ftp://h:1 | GET | / | URL: ftp://h:1 (expected: an address such as http://127.0.0.1:8080)",
        "h:99999 | GET | / | URL: h:99999 (expected: an address such as http://127.0.0.1:8080)",
        "http://h:1/x | GET | / | URL: http://h:1/x (expected: an address such as"
            + " http://127.0.0.1:8080)",
        "http://a_b:1 | GET | / | URL: http://a_b:1 (expected: an address such as"
            + " http://127.0.0.1:8080)",
        "h:1 | G(T | / | METHOD: G(T (expected: a method, such as GET)",
        "h:1 | GET | x | PATH: x (expected: a path, such as /login)",
        "h:1 | GET | /a b | PATH: /a b (expected: a path, such as /login)",
        "h:1 | GET | / --client x | --client: x (expected: an IP address, such as 203.0.113.7)",
        "h:1 | GET | / --header x | --header: x (expected: a name, a colon and a value, such as"
            + " 'X-API-Key: k')",
        "h:1 | GET | / --header X:ä | --header: X: ä (expected: a value in ASCII)",
        "h:1 | GET | / --header Expect:x | --header: Expect (expected: one that a gateway passes on)",
        "h:1 | GET | / --header X-Forwarded-Uri:/x | --header: X-Forwarded-Uri (expected: METHOD,"
            + " PATH, --host and --client, which say it)",
      })
  void wrongArgumentsAreToldApart(String url, String method, String rest, String message) {
    String[] more = rest.equals("/a b") ? new String[] {rest} : rest.split(" ", -1);
    Object[] words = new Object[2 + more.length];
    words[0] = url;
    words[1] = method;
    System.arraycopy(more, 0, words, 2, more.length);
    Ran ran = check(words);
    assertThat(ran.exit()).isEqualTo(2);
    assertThat(ran.out()).isEmpty();
    assertThat(ran.err()).isEqualTo("weir check: " + message + "\nTry 'weir check --help'.\n");
  }

  @Test
  void whatIsNoServerIsToldInOneLine() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String silent = "http://127.0.0.1:" + socket.getLocalPort();
      assertThat(failure(silent)).isEqualTo(silent + ": no answer within 5 s");
    }
    String nobody = "http://127.0.0.1:" + Ports.free();
    assertThat(failure(nobody)).isEqualTo(nobody + ": cannot connect (is a server running there?)");
    assertThat(failure("https://127.0.0.1:" + Ports.free())).contains(": cannot connect");
    assertThat(failure("http://no-such-host.invalid:80")).contains("no-such-host.invalid:80: no ");
    assertThat(answering(200, "hello"))
        .endsWith(": answered 200 (expected: the empty 200, the 429 or the 403 of a Weir server)");
    assertThat(answering(404, "{\"detail\": \"\\u001b[2Jnothing\"}"))
        .contains(": answered 404, \\u001b[2Jnothing (expected: ");
    assertThat(answering(200, "x".repeat(9 << 20))).contains("an answer of more than ");
  }

  private static String failure(String url) {
    Ran ran = check(url, "GET", "/");
    assertThat(ran.exit()).isEqualTo(2);
    assertThat(ran.out()).isEmpty();
    assertThat(ran.err()).startsWith("weir: ").hasLineCount(1);
    return ran.err().substring("weir: ".length()).strip();
  }

  private static String answering(int status, String body) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    server.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(status, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    server.start();
    try {
      return failure("http://127.0.0.1:" + server.getAddress().getPort());
    } finally {
      server.stop(0);
    }
  }
}
