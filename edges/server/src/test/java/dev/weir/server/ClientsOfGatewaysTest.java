package dev.weir.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients behind a gateway are each counted by their own address, through the recipes of the docs,
 * and with what the docs say of a proxy in front.
 */
class ClientsOfGatewaysTest {
  private static final String GATEWAY = "127.0.0.1";
  private static final String HAPROXY = "127.0.0.4";
  private static final String RULES =
      """
      trusted-proxies: [127.0.0.1, 127.0.0.4]
      rules: [{name: address, per: ip, limit: 2/hour}]
      """;

  private static final String FORWARDED = "forwarded-header: Forwarded\n" + RULES;
  private static final GatewayHeaderRecipes PRINTED = new GatewayHeaderRecipes(RULES);
  private static final GatewayHeaderRecipes PRINTED_FORWARDED = new GatewayHeaderRecipes(FORWARDED);
  private static final String REPLACED = "X-Forwarded-For $remote_addr;";

  /** None of them is the gateway's own, which counts if the client's is unknown. */
  private static final List<String> V4 = List.of("127.0.0.2", "127.0.0.3");

  private static final String V6 = "::1";

  @TempDir private Path directory = Path.of("");
  private HttpServer app = createApp();

  private static HttpServer createApp() {
    try {
      return HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @BeforeEach
  void startApplication() {
    app.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    app.start();
  }

  @AfterEach
  void stopApplication() {
    app.stop(0);
  }

  private int appPort() {
    return app.getAddress().getPort();
  }

  private Path folder(String name) throws IOException {
    return Files.createDirectories(directory.resolve(name));
  }

  @Test
  void nginxIdentifiesEachClient() throws IOException {
    try (TestServer weir = TestServer.with(RULES);
        Gateway nginx = Gateway.nginx(directory, weir.server.port(), appPort())) {
      countsEach(nginx, V4);
    }
  }

  @Test
  void caddyIdentifiesEachClient() throws IOException {
    try (TestServer weir = TestServer.with(RULES);
        Gateway caddy = Gateway.caddy(directory, weir.server.port(), appPort())) {
      countsEach(caddy, V4);
      countsEach(caddy, List.of(V6, GATEWAY));
    }
  }

  @Test
  void envoyIdentifiesEachClient() throws IOException {
    try (TestServer weir = TestServer.with(RULES);
        Gateway envoy =
            Gateway.envoyWithExtAuthz(directory, weir.server.port(), appPort(), one -> one)) {
      countsEach(envoy, V4);
    }
  }

  @Test
  void nginxWritesForwardedForEachClient() throws IOException {
    bind(V6).close(); // without this address NGINX would not start
    try (TestServer weir = TestServer.with(FORWARDED);
        Gateway nginx =
            Gateway.nginx(
                directory,
                weir.server.port(),
                appPort(),
                recipe -> onBothLoopbacks(PRINTED_FORWARDED.inNginx(recipe)))) {
      countsEach(nginx, V4);
      countsEach(nginx, List.of(V6, GATEWAY));
    }
  }

  private static String onBothLoopbacks(String recipe) {
    return recipe.replaceFirst("listen 127\\.0\\.0\\.1:(\\d+);", "$0 listen [::1]:$1;");
  }

  @Test
  void caddyWritesForwardedForEachClient() throws IOException {
    try (TestServer weir = TestServer.with(FORWARDED);
        Gateway caddy =
            Gateway.caddy(directory, weir.server.port(), appPort(), PRINTED_FORWARDED::inCaddy)) {
      countsEach(caddy, V4);
      countsEach(caddy, List.of(V6, GATEWAY));
    }
  }

  /** The recipe of the docs for HAProxy in front. */
  private static String behind(String language, String setting) throws IOException {
    return Gateway.block("gateways.md", language, "behind HAProxy")
        .lines()
        .filter(line -> !line.strip().startsWith("#") && line.contains(setting))
        .findFirst()
        .orElseThrow()
        .replace("10.0.0.5", HAPROXY);
  }

  private void behindHaproxy(GatewayHeaderRecipes printed, Gateway gateway) throws IOException {
    try (gateway;
        Gateway haproxy =
            Gateway.haproxy(folder("haproxy"), HAPROXY, gateway.port, printed.haproxy())) {
      countsEach(haproxy, V4);
    }
  }

  @Test
  void nginxBehindHaproxyIdentifiesEachClient() throws IOException {
    String appended = behind("nginx", "X-Forwarded-For");
    UnaryOperator<String> edit =
        recipe -> recipe.replace("proxy_set_header " + REPLACED, appended.strip());
    try (TestServer weir = TestServer.with(RULES)) {
      behindHaproxy(PRINTED, Gateway.nginx(folder("nginx"), weir.server.port(), appPort(), edit));
    }
  }

  @Test
  void nginxBehindHaproxyWritesForwardedForEachClient() throws IOException {
    String appended = behind("nginx", "Forwarded \"");
    UnaryOperator<String> edit =
        recipe ->
            PRINTED_FORWARDED
                .inNginx(recipe)
                .replace("proxy_set_header Forwarded $weir_forwarded;", appended.strip());
    try (TestServer weir = TestServer.with(FORWARDED)) {
      behindHaproxy(
          PRINTED_FORWARDED, Gateway.nginx(folder("nginx"), weir.server.port(), appPort(), edit));
    }
  }

  @Test
  void caddyBehindHaproxyIdentifiesEachClient() throws IOException {
    String trusting = behind("caddyfile", "trusted_proxies");
    UnaryOperator<String> edit = recipe -> recipe.replaceFirst(" *uri ", trusting + "\n$0");
    try (TestServer weir = TestServer.with(RULES)) {
      behindHaproxy(PRINTED, Gateway.caddy(folder("caddy"), weir.server.port(), appPort(), edit));
    }
  }

  @Test
  void caddyBehindHaproxyWritesForwardedForEachClient() throws IOException {
    String appended = behind("caddyfile", "header_up Forwarded");
    UnaryOperator<String> edit =
        recipe ->
            PRINTED_FORWARDED
                .inCaddy(recipe)
                .replace("header_up Forwarded {weir_forwarded}", appended.strip());
    try (TestServer weir = TestServer.with(FORWARDED)) {
      behindHaproxy(
          PRINTED_FORWARDED, Gateway.caddy(folder("caddy"), weir.server.port(), appPort(), edit));
    }
  }

  @Test
  void envoyBehindHaproxyIdentifiesEachClient() throws IOException {
    try (TestServer weir = TestServer.with(RULES)) {
      behindHaproxy(
          PRINTED,
          Gateway.envoyWithExtAuthz(
              folder("envoy"), weir.server.port(), appPort(), recipe -> recipe));
    }
  }

  /** Each client gets its full limit, whatever addresses it forges. */
  private static void countsEach(Gateway gateway, List<String> clients) throws IOException {
    for (String client : clients) {
      for (int i = 0; i < 4; i++) {
        assertThat(status(gateway, client, "192.0.2." + i))
            .as("request " + i + " of " + client)
            .isEqualTo(i < 2 ? 200 : 429);
      }
    }
  }

  private static int status(Gateway gateway, String client, String forged) throws IOException {
    String request =
        """
        GET /a HTTP/1.1
        Host: 127.0.0.1:%d
        X-Forwarded-For: %s
        Forwarded: for=%s

        """
            .formatted(gateway.port, forged, forged)
            .replace("\n", "\r\n");
    try (RawClient connection = new RawClient(connect(client, gateway.port), 30_000)) {
      connection.send(request.getBytes(US_ASCII));
      return requireNonNull(connection.read(true)).status();
    }
  }

  private static Socket connect(String client, int port) throws IOException {
    Socket socket = bind(client);
    socket.connect(new InetSocketAddress(client.equals(V6) ? V6 : GATEWAY, port));
    return socket;
  }

  /** A socket with an address that not every machine has. */
  private static Socket bind(String client) throws IOException {
    Socket socket = new Socket();
    try {
      socket.bind(new InetSocketAddress(client, 0));
      return socket;
    } catch (IOException e) {
      socket.close();
      return abort("needs the address " + client);
    }
  }
}
