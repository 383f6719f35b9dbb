package dev.weir.cli.check;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.util.JSONObjectUtils;
import com.sun.net.httpserver.HttpServer;
import dev.weir.cli.CommandRun;
import dev.weir.cli.LocalServer;
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

/** Output of check for a real server, and for an address without one. */
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

  private LocalServer live() throws Exception {
    return LocalServer.with(Files.writeString(directory.resolve("rules.yaml"), RULES));
  }

  private static CommandRun check(Object... words) {
    Object[] all = new Object[words.length + 1];
    all[0] = "check";
    System.arraycopy(words, 0, all, 1, words.length);
    return CommandRun.weir(all).assertHarmless();
  }

  @Test
  void printsTheDecisionAndTheStateOfTheLimit() throws Exception {
    try (LocalServer live = live()) {
      Object[] login = {live.traffic(), "POST", "/login?x=ä", "--client", "203.0.113.7"};
      CommandRun allowed = check(login);
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
      CommandRun denied = check(login);
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
      // Another client, and the actual address of the connection.
      assertThat(check(live.traffic(), "POST", "/login", "--client", "::1").exit()).isEqualTo(0);
      assertThat(check(live.traffic(), "POST", "/login").exit()).isEqualTo(0);
      // The URL may lack a scheme.
      String bare = live.traffic().substring("http://".length());
      assertThat(check(bare, "GET", "/free").out())
          .isEqualTo(
              """
              GET /free: allowed (200)
                limits     not reported: no rule applies, or the server sends no headers
              """);
    }
  }

  @Test
  void headersHostAndMethodReachTheServer() throws Exception {
    try (LocalServer live = live()) {
      Object[] key = {live.traffic(), "GET", "/key", "--header", "X-Key: a"};
      assertThat(check(key).exit()).isEqualTo(0);
      assertThat(check(key).exit()).isEqualTo(1);
      key[4] = "X-Key: b";
      assertThat(check(key).exit()).isEqualTo(0);
      CommandRun blocked = check(live.traffic(), "DELETE", "/", "--host", "shop.example.com");
      assertThat(blocked.exit()).isEqualTo(1);
      assertThat(blocked.out()).contains("  by         shop\n", "never: This caller is blocked.\n");
      CommandRun forbidden = check(live.traffic(), "GET", "/gone");
      assertThat(forbidden.exit()).isEqualTo(1);
      assertThat(forbidden.out()).startsWith("GET /gone: denied (403)\n  by         gone\n");
      Object[] byHeader = {live.traffic(), "DELETE", "/", "--header", "Host: shop.example.com"};
      assertThat(check(byHeader).exit()).isEqualTo(1);
      assertThat(check(live.traffic(), "GET", "/", "--host", "shop.example.com").exit())
          .isEqualTo(0);
      check(live.traffic(), "GET", "/drip");
      assertThat(check(live.traffic(), "GET", "/drip").out())
          .contains("hold the request for ", " ms\n");
    }
  }

  @Test
  void jsonHasTheSameContent() throws Exception {
    try (LocalServer live = live()) {
      Object[] login = {live.traffic(), "GET", "/login", "--json"};
      Map<String, Object> allowed = JSONObjectUtils.parse(check(login).out());
      assertThat(allowed).containsEntry("allowed", true).containsEntry("remaining", 1L);
      assertThat(CommandRun.valueAt(allowed, "policies", 0, "quota")).isEqualTo("2");
      assertThat(CommandRun.valueAt(allowed, "standings", 0, "remaining")).isEqualTo("1");
      check(login);
      CommandRun run = check(login);
      Map<String, Object> denied = JSONObjectUtils.parse(run.out());
      assertThat(run.exit()).isEqualTo(1);
      assertThat(denied).containsEntry("allowed", false).containsEntry("status", 429L);
      assertThat(CommandRun.valueAt(denied, "violated", 0)).isEqualTo("each");
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
            + " PATH, --host and --client, which set it)",
      })
  void invalidArgumentsAreReportedByName(String url, String method, String rest, String message) {
    String[] more = rest.equals("/a b") ? new String[] {rest} : rest.split(" ", -1);
    Object[] words = new Object[2 + more.length];
    words[0] = url;
    words[1] = method;
    System.arraycopy(more, 0, words, 2, more.length);
    CommandRun run = check(words);
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).isEqualTo("weir check: " + message + "\nTry 'weir check --help'.\n");
  }

  @Test
  void unusableServerIsReportedInOneLine() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String silent = "http://127.0.0.1:" + socket.getLocalPort();
      assertThat(failure(silent)).isEqualTo(silent + ": no answer within 5 s");
    }
    String closed = "http://127.0.0.1:" + Ports.free();
    assertThat(failure(closed)).isEqualTo(closed + ": cannot connect (is a server running there?)");
    assertThat(failure("https://127.0.0.1:" + Ports.free())).contains(": cannot connect");
    assertThat(failure("http://no-such-host.invalid:80")).contains("no-such-host.invalid:80: no ");
    assertThat(failureOfServer(200, "hello"))
        .endsWith(": answered 200 (expected: the empty 200, the 429 or the 403 of a Weir server)");
    assertThat(failureOfServer(404, "{\"detail\": \"\\u001b[2Jnothing\"}"))
        .contains(": answered 404, \\u001b[2Jnothing (expected: ");
    assertThat(failureOfServer(200, "x".repeat(9 << 20))).contains("an answer of more than ");
  }

  private static String failure(String url) {
    CommandRun run = check(url, "GET", "/");
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).startsWith("weir: ").hasLineCount(1);
    return run.err().substring("weir: ".length()).strip();
  }

  private static String failureOfServer(int status, String body) throws IOException {
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
