package dev.weir.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Invalid host names do not bypass rules on hosts, through real gateways. */
class OddHostsTest {
  private static final String RULES =
      """
      trusted-proxies: [127.0.0.1/32]
      rules:
        - {name: shop, match: {host: ["shop.example", "*.shop.example"]}, limit: blocked}
      """;

  private static final List<String> ODD =
      List.of(
          "",
          "shop.example",
          "SHOP.example.:80",
          "shop.example:abc",
          "shop.example:80:80",
          "a!b.shop.example",
          "a..shop.example",
          "a,b.shop.example",
          "user@shop.example",
          "shop.example\\",
          "a\u00e9.shop.example");

  @TempDir private Path directory = Path.of("");

  private interface Start {
    Gateway at(int weir, int app) throws IOException;
  }

  @Test
  void throughNginx() throws IOException {
    tryOut((weir, app) -> Gateway.nginx(directory, weir, app));
  }

  @Test
  void throughCaddy() throws IOException {
    tryOut(
        (weir, app) ->
            Gateway.caddy(
                directory,
                weir,
                app,
                // A catch-all server, as for many hosts.
                recipe -> recipe.replaceFirst("http://127.0.0.1:(\\d+) \\{", "http://:$1 {")));
  }

  private static void tryOut(Start start) throws IOException {
    HttpServer app =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    app.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    app.start();
    try (TestServer served = TestServer.with(RULES);
        Gateway gateway = start.at(served.server.port(), app.getAddress().getPort())) {
      assertThat(status(gateway, "Host: other.example")).isEqualTo(200);
      for (String host : ODD) {
        assertThat(status(gateway, "Host: " + host)).as(host).isIn(400, 429);
      }
      // NGINX treats the missing host header of the check as an error.
      assertThat(answer(gateway, "GET / HTTP/1.0\r\n\r\n")).isIn(400, 429, 500);
      assertThat(answer(gateway, "GET / HTTP/1.0\r\nHost:\r\n\r\n")).isIn(400, 429, 500);
    } finally {
      app.stop(0);
    }
  }

  private static int status(Gateway gateway, String host) throws IOException {
    return answer(gateway, "GET / HTTP/1.1\r\n" + host + "\r\nConnection: close\r\n\r\n");
  }

  private static int answer(Gateway gateway, String request) throws IOException {
    try (RawClient client = new RawClient(gateway.port, 30_000)) {
      client.send(request.getBytes(ISO_8859_1));
      return requireNonNull(client.read(true)).status();
    }
  }

  @Test
  void checkWithoutHostMatchesRulesOnHosts() throws IOException {
    try (TestServer served = TestServer.with(RULES)) {
      for (String question :
          List.of(
              "GET /v1/check/ HTTP/1.0\r\n\r\n",
              "GET /v1/check/ HTTP/1.0\r\nHost:\r\n\r\n",
              String.join(
                  "\r\n",
                  "GET /v1/check HTTP/1.1",
                  "Host: weir",
                  "X-Forwarded-Method: GET",
                  "X-Forwarded-Uri: /",
                  "X-Forwarded-Host:",
                  "Connection: close",
                  "",
                  ""))) {
        try (RawClient client = new RawClient(served.server.port(), 30_000)) {
          client.send(question.getBytes(ISO_8859_1));
          assertThat(requireNonNull(client.read(true)).status()).as(question).isIn(400, 429);
        }
      }
    }
  }

  @Test
  void decideTreatsHostsLikeCheck() {
    try (TestServer served = TestServer.with(RULES)) {
      for (String host : ODD) {
        JsonObject question = new JsonObject().put("values", new JsonObject().put("host", host));
        assertThat(allows(served, question.encode())).as(host).isFalse();
      }
      assertThat(allows(served, "{\"values\": {\"host\": \"other.example:80\"}}")).isTrue();
    }
  }

  private static boolean allows(TestServer served, String question) {
    return new JsonObject(served.post("/v1/decide", question).body()).getBoolean("allowed");
  }
}
