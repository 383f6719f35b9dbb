package dev.weir.server;

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
 * Clients that forge headers of gateways gain nothing, through the recipes of the docs as they are,
 * and with the lines in them that {@code weir validate} prints for the rules.
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

  private static final String FORWARDED = "forwarded-header: Forwarded\n" + RULES;
  private static final GatewayHeaderRecipes PRINTED = new GatewayHeaderRecipes(RULES);
  private static final GatewayHeaderRecipes PRINTED_FORWARDED = new GatewayHeaderRecipes(FORWARDED);

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
    try (TestServer served = TestServer.with(rules);
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
    tryOut((weir, own) -> Gateway.nginx(directory, weir, own), HeaderForgery::gainsNothing);
  }

  @Test
  void nginxWithThePrintedLines() throws IOException {
    tryOut(
        (weir, own) -> Gateway.nginx(directory, weir, own, PRINTED::inNginx),
        HeaderForgery::gainsNothing);
  }

  @Test
  void nginxThatWritesTheOriginalFamily() throws IOException {
    tryOut(
        (weir, own) -> Gateway.nginx(directory, weir, own, ForgedHeadersTest::original),
        HeaderForgery::gainsNothing);
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
        HeaderForgery::gainsNothing);
  }

  @Test
  void planHeaderSetByNginxIsTrusted() throws IOException {
    tryOut(
        (weir, own) ->
            Gateway.nginx(
                directory,
                weir,
                own,
                recipe -> PRINTED.inNginx(recipe).replace("X-Plan \"\"", "X-Plan pro")),
        HeaderForgery::hasThePlanOfTheGateway);
  }

  @Test
  void caddyAsInTheDocs() throws IOException {
    tryOut((weir, own) -> Gateway.caddy(directory, weir, own), HeaderForgery::gainsNothing);
  }

  @Test
  void caddyWithThePrintedLines() throws IOException {
    tryOut(
        (weir, own) -> Gateway.caddy(directory, weir, own, PRINTED::inCaddy),
        HeaderForgery::gainsNothing);
  }

  @Test
  void planHeaderSetByCaddyIsTrusted() throws IOException {
    tryOut(
        (weir, own) ->
            Gateway.caddy(
                directory,
                weir,
                own,
                recipe -> PRINTED.inCaddy(recipe).replace("-X-Plan", "X-Plan pro")),
        HeaderForgery::hasThePlanOfTheGateway);
  }

  @Test
  void envoyAsInTheDocs() throws IOException {
    tryOut(
        (weir, own) -> Gateway.envoyWithExtAuthz(directory, weir, own, recipe -> recipe),
        HeaderForgery::gainsNothing);
  }

  @Test
  void envoyWithThePrintedLines() throws IOException {
    tryOut(
        (weir, own) -> Gateway.envoyWithExtAuthz(directory, weir, own, PRINTED::inEnvoy),
        HeaderForgery::gainsNothing);
  }

  @Test
  void planHeaderSetByEnvoyIsTrusted() throws IOException {
    String append = "- append: {append_action: OVERWRITE_IF_EXISTS_OR_ADD, header: %s}";
    String set = append.formatted("{key: x-plan, value: pro}");
    tryOut(
        (weir, own) ->
            Gateway.envoyWithExtAuthz(
                directory,
                weir,
                own,
                recipe -> PRINTED.inEnvoy(recipe).replace("- remove: x-plan", set)),
        HeaderForgery::hasThePlanOfTheGateway);
  }

  @Test
  void haproxyWithThePrintedLines() throws IOException {
    tryOut((weir, own) -> haproxy(weir, PRINTED), HeaderForgery::gainsNothing);
  }

  private Gateway haproxy(int weir, GatewayHeaderRecipes printed) throws IOException {
    List<String> lines = new ArrayList<>(printed.haproxy());
    lines.add("http-request set-path /v1/check;trusted-headers=x-plan,x-user%[path]");
    return Gateway.haproxy(directory, weir, lines);
  }

  @Test
  void nginxThatWritesForwarded() throws IOException {
    tryOut(
        FORWARDED,
        (weir, own) -> Gateway.nginx(directory, weir, own, PRINTED_FORWARDED::inNginx),
        HeaderForgery::gainsNothing);
  }

  @Test
  void caddyThatWritesForwarded() throws IOException {
    tryOut(
        FORWARDED,
        (weir, own) -> Gateway.caddy(directory, weir, own, PRINTED_FORWARDED::inCaddy),
        HeaderForgery::gainsNothing);
  }

  @Test
  void haproxyThatWritesForwarded() throws IOException {
    tryOut(FORWARDED, (weir, own) -> haproxy(weir, PRINTED_FORWARDED), HeaderForgery::gainsNothing);
  }

  @Test
  void gatewayWithoutVouchedHeadersVouchesForAll() throws IOException {
    // The effect of a recipe without either line: why the recipes have them.
    tryOut(
        (weir, own) ->
            Gateway.caddy(
                directory, weir, own, recipe -> recipe.replace(";trusted-headers=?", "?")),
        gateway ->
            assertThat(HeaderForgery.passed(gateway, List.of("/plan/a", "X-Plan: pro"), 5))
                .isEqualTo(5));
  }
}
