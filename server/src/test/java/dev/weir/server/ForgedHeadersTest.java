package dev.weir.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients that forge what only a gateway may say gain nothing, through the recipes of the docs as
 * they are, and with the lines in them that {@code weir validate} prints for the rules.
 */
class ForgedHeadersTest {
  private static final String RULES =
      """
      trusted-proxies: [127.0.0.1/32]
      tiers: {free: 2/hour, pro: 1000/hour}
      identity: {user: trusted-header X-User, caller: [user, ip]}
      rules:
        - {name: plan, match: {path: "/plan/**"}, tier: trusted-header X-Plan, default-tier: free}
        - {name: user, match: {path: "/user/**"}, per: caller, limit: 2/hour}
        - {name: address, match: {path: "/address/**"}, per: ip, limit: 2/hour}
        - {name: gone, match: {path: "/gone/**"}, limit: blocked, blocked-status: 403}
        - {name: got, match: {method: GET, path: "/got/**"}, limit: blocked, blocked-status: 403}
        - {name: host, match: {host: "127.0.0.1", path: "/host/**"}, limit: blocked, blocked-status: 403}
      """;

  /** Different ways to say that one has a better plan, each in a target and header lines. */
  private static final List<List<String>> PLANS =
      List.of(
          List.of("/plan/a", "X-Plan: pro"),
          List.of("/plan/a", "x-PLAN: pro"),
          List.of("/plan/a", "X_Plan: pro"),
          List.of("/plan/a", "X-Plan: pro", "X-Plan: pro"),
          List.of("/plan/a", "X-Plan: pro", "X-Plan: free"),
          List.of("/plan/a", "X-Plan: free, pro"),
          List.of("/plan/a", "X-Plan: pro", "Connection: close, X-Plan"),
          List.of("/plan/a?trusted-headers=x-plan&deny=403&body=plain", "X-Plan: pro"),
          List.of("/plan/;trusted-headers=x-plan", "X-Plan: pro"),
          List.of("/plan/a", "X-Plan: pro", "X-Forwarded-Uri: /free", "X-Original-Uri: /free"),
          List.of("/plan/a", "X-Plan: pro", "X-Forwarded-Method: X", "X-Forwarded-Host: h"));

  /** Other requests than that which is made, told as only a gateway may. */
  private static final List<List<String>> OTHERS =
      List.of(
          List.of("X-Forwarded-Uri: /free"),
          List.of("X-Forwarded-Method: PUT"),
          List.of("X-Forwarded-Host: h"),
          List.of("X-Original-Uri: /free"),
          List.of("X-Original-Method: PUT"),
          List.of("X-Original-Host: h"),
          List.of("X-Original-Url: http://h/free", "X-Rewrite-Url: /free"),
          List.of("X-Forwarded-Uri: /free", "X-Forwarded-Method: PUT", "X-Forwarded-Host: h"),
          List.of("X-Original-Uri: /free", "X-Original-Method: PUT", "X-Original-Host: h"),
          List.of("X_Forwarded_Uri: /free", "X_Original_Uri: /free"),
          List.of("X-Forwarded-Uri: /free", "X-Forwarded-Uri: /free"),
          List.of("Connection: close, X-Forwarded-Uri, X-Forwarded-Method, X-Forwarded-Host"),
          List.of("Connection: X-Original-Uri, X-Original-Method, X-Original-Host"));

  private static final String FORWARDED = "forwarded-header: Forwarded\n" + RULES;
  private static final PrintedLines PRINTED = new PrintedLines(RULES);
  private static final PrintedLines PRINTED_FORWARDED = new PrintedLines(FORWARDED);

  @TempDir private Path directory = Path.of("");
  private HttpServer app = createApp();

  private static HttpServer createApp() {
    try {
      return HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /** A gateway in front of Weir and the application, by their ports. */
  private interface Start {
    Gateway at(int weir, int app) throws IOException;
  }

  private void tryOut(Start start, Attempt attempt) throws IOException {
    tryOut(RULES, start, attempt);
  }

  private void tryOut(String rules, Start start, Attempt attempt) throws IOException {
    app.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    app.start();
    try (Served served = Served.with(rules);
        Gateway gateway = start.at(served.server.port(), app.getAddress().getPort())) {
      attempt.on(gateway);
    } finally {
      app.stop(0);
    }
  }

  private interface Attempt {
    void on(Gateway gateway) throws IOException;
  }

  @Test
  void nginxAsInTheDocs() throws IOException {
    tryOut((weir, own) -> Gateway.nginx(directory, weir, own), ForgedHeadersTest::gainsNothing);
  }

  @Test
  void nginxWithThePrintedLines() throws IOException {
    tryOut(
        (weir, own) -> Gateway.nginx(directory, weir, own, PRINTED::inNginx),
        ForgedHeadersTest::gainsNothing);
  }

  @Test
  void nginxThatWritesTheOriginalFamily() throws IOException {
    tryOut(
        (weir, own) -> Gateway.nginx(directory, weir, own, ForgedHeadersTest::original),
        ForgedHeadersTest::gainsNothing);
  }

  /** With the four lines that the docs have for it. */
  private static String original(String recipe) {
    try {
      String lines = Gateway.block("gateways.md", "nginx", "X-Original-Uri");
      return recipe
          .replaceAll(" *proxy_set_header X-Forwarded-(Method|Uri|Host)[^\n]*\n", "")
          .replaceFirst(" *proxy_pass \"http://weir[^\n]*\n", Matcher.quoteReplacement(lines));
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Test
  void caddyThatWritesTheOriginalFamily() throws IOException {
    String lines =
        """
            uri /v1/check;headers=original;trusted-headers=?
            header_up X-Original-Method {method}
            header_up X-Original-Uri {uri}
            header_up X-Original-Host {host}
        """;
    tryOut(
        (weir, own) ->
            Gateway.caddy(
                directory,
                weir,
                own,
                recipe ->
                    recipe.replaceFirst(
                        " *uri /v1/check[^\n]*\n", Matcher.quoteReplacement(lines))),
        ForgedHeadersTest::gainsNothing);
  }

  @Test
  void nginxThatKnowsThePlanIsBelieved() throws IOException {
    tryOut(
        (weir, own) ->
            Gateway.nginx(
                directory,
                weir,
                own,
                recipe -> PRINTED.inNginx(recipe).replace("X-Plan \"\"", "X-Plan pro")),
        ForgedHeadersTest::hasThePlanOfTheGateway);
  }

  @Test
  void caddyAsInTheDocs() throws IOException {
    tryOut((weir, own) -> Gateway.caddy(directory, weir, own), ForgedHeadersTest::gainsNothing);
  }

  @Test
  void caddyWithThePrintedLines() throws IOException {
    tryOut(
        (weir, own) -> Gateway.caddy(directory, weir, own, PRINTED::inCaddy),
        ForgedHeadersTest::gainsNothing);
  }

  @Test
  void caddyThatKnowsThePlanIsBelieved() throws IOException {
    tryOut(
        (weir, own) ->
            Gateway.caddy(
                directory,
                weir,
                own,
                recipe -> PRINTED.inCaddy(recipe).replace("-X-Plan", "X-Plan pro")),
        ForgedHeadersTest::hasThePlanOfTheGateway);
  }

  @Test
  void envoyAsInTheDocs() throws IOException {
    tryOut(
        (weir, own) -> Gateway.envoyWithExtAuthz(directory, weir, own, recipe -> recipe),
        ForgedHeadersTest::gainsNothing);
  }

  @Test
  void envoyWithThePrintedLines() throws IOException {
    tryOut(
        (weir, own) -> Gateway.envoyWithExtAuthz(directory, weir, own, PRINTED::inEnvoy),
        ForgedHeadersTest::gainsNothing);
  }

  @Test
  void envoyThatKnowsThePlanIsBelieved() throws IOException {
    String append = "- append: {append_action: OVERWRITE_IF_EXISTS_OR_ADD, header: %s}";
    String set = append.formatted("{key: x-plan, value: pro}");
    tryOut(
        (weir, own) ->
            Gateway.envoyWithExtAuthz(
                directory,
                weir,
                own,
                recipe -> PRINTED.inEnvoy(recipe).replace("- remove: x-plan", set)),
        ForgedHeadersTest::hasThePlanOfTheGateway);
  }

  @Test
  void haproxyWithThePrintedLines() throws IOException {
    tryOut((weir, own) -> haproxy(weir, PRINTED), ForgedHeadersTest::gainsNothing);
  }

  private Gateway haproxy(int weir, PrintedLines printed) throws IOException {
    List<String> lines = new ArrayList<>(printed.haproxy());
    lines.add("http-request set-path /v1/check;trusted-headers=x-plan,x-user%[path]");
    return Gateway.haproxy(directory, weir, lines);
  }

  @Test
  void nginxThatWritesForwarded() throws IOException {
    tryOut(
        FORWARDED,
        (weir, own) -> Gateway.nginx(directory, weir, own, PRINTED_FORWARDED::inNginx),
        ForgedHeadersTest::gainsNothing);
  }

  @Test
  void caddyThatWritesForwarded() throws IOException {
    tryOut(
        FORWARDED,
        (weir, own) -> Gateway.caddy(directory, weir, own, PRINTED_FORWARDED::inCaddy),
        ForgedHeadersTest::gainsNothing);
  }

  @Test
  void haproxyThatWritesForwarded() throws IOException {
    tryOut(
        FORWARDED,
        (weir, own) -> haproxy(weir, PRINTED_FORWARDED),
        ForgedHeadersTest::gainsNothing);
  }

  @Test
  void aGatewayThatDoesNotSayForWhichHeadersItAnswersAnswersForAll() throws IOException {
    // What a recipe without either of the two does; and why the recipes have them.
    tryOut(
        (weir, own) ->
            Gateway.caddy(
                directory, weir, own, recipe -> recipe.replace(";trusted-headers=?", "?")),
        gateway -> assertThat(passed(gateway, List.of("/plan/a", "X-Plan: pro"), 5)).isEqualTo(5));
  }

  private static void gainsNothing(Gateway gateway) throws IOException {
    int plans = 0;
    for (List<String> plan : PLANS) {
      plans += passed(gateway, plan, 1);
    }
    assertThat(plans).as("requests of a plan").isEqualTo(2);
    int users = 0;
    int addresses = 0;
    for (int i = 0; i < 8; i++) {
      users += passed(gateway, List.of("/user/a", "X-User: u" + i), 1);
      String address = "10.9.8." + i;
      addresses +=
          passed(
              gateway,
              List.of(
                  "/address/a",
                  "X-Forwarded-For: " + address,
                  "Forwarded: for=" + address,
                  "X-Real-Ip: " + address),
              1);
    }
    assertThat(users).as("requests of made up users").isEqualTo(2);
    assertThat(addresses).as("requests from made up addresses").isEqualTo(2);
    for (String path : List.of("/gone/a", "/got/a", "/host/a")) {
      assertThat(status(gateway, List.of(path))).as("blocked").isEqualTo(403);
      for (List<String> other : OTHERS) {
        List<String> request = new ArrayList<>(other);
        request.add(0, path);
        assertThat(status(gateway, request)).as(request.toString()).isIn(403, 400);
      }
    }
  }

  private static void hasThePlanOfTheGateway(Gateway gateway) throws IOException {
    assertThat(passed(gateway, List.of("/plan/a", "X-Plan: free"), 5)).isEqualTo(5);
    assertThat(passed(gateway, List.of("/plan/a", "X-Plan: free", "X-Plan: pro"), 5)).isEqualTo(5);
    assertThat(passed(gateway, List.of("/plan/a"), 5)).isEqualTo(5);
  }

  /** How many of the same requests pass; all others are denied. */
  private static int passed(Gateway gateway, List<String> request, int times) throws IOException {
    int passed = 0;
    for (int i = 0; i < times; i++) {
      int status = status(gateway, request);
      assertThat(status).as(request.toString()).isIn(200, 429);
      passed += status == 200 ? 1 : 0;
    }
    return passed;
  }

  private static int status(Gateway gateway, List<String> request) throws IOException {
    StringBuilder text = new StringBuilder("GET " + request.get(0) + " HTTP/1.1\r\n");
    text.append("Host: 127.0.0.1:").append(gateway.port).append("\r\n");
    request.subList(1, request.size()).forEach(line -> text.append(line).append("\r\n"));
    try (RawClient client = new RawClient(gateway.port, 30_000)) {
      client.send(text.append("\r\n").toString().getBytes(US_ASCII));
      return requireNonNull(client.read(true)).status();
    }
  }
}
