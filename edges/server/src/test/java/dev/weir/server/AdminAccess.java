package dev.weir.server;

import dev.weir.server.settings.ServerSettings;
import dev.weir.testkit.time.ManualTicker;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** A server with an administration port for operators and viewers, on a clock moved by hand. */
final class AdminAccess implements AutoCloseable {
  static final String OPERATOR = "the-token-of-operators";
  static final String VIEWER = "the-token-of-viewers";
  static final String ACME = "{\"values\": {\"header x-key\": \"acme\", \"path\": \"/\"}}";

  /** The routes that change nothing, and those that only concern the session of the client. */
  private static final Set<String> HARMLESS =
      Set.of("POST /explain", "POST /login", "POST /logout");

  private static final String RULES =
      """
      identity: {key: header X-Key}
      rules:
        - {name: per-key, per: key, limit: 3/hour}
      """;
  private static final Pattern ROUTE = Pattern.compile("[A-Z]+ /[\\w/.{}-]*");

  final ManualTicker clock = ManualTicker.at(Duration.ofDays(20_000));
  final TestServer served;

  private AdminAccess(ServerSettings settings) {
    InstantSource instants = () -> Instant.EPOCH.plus(clock.micros(), ChronoUnit.MICROS);
    served = TestServer.with(RULES, settings, instants);
  }

  /** A server that requires a token. */
  static AdminAccess guarded() {
    return of(settings());
  }

  static ServerSettings settings() {
    return ServerSettings.DEFAULT.withAdmin("127.0.0.1", OPERATOR).withViewerToken(VIEWER);
  }

  static AdminAccess of(ServerSettings settings) {
    return new AdminAccess(settings);
  }

  static String[] bearer(String token, String... more) {
    List<String> headers = new ArrayList<>(List.of("Authorization", "Bearer " + token));
    headers.addAll(List.of(more));
    return headers.toArray(String[]::new);
  }

  HttpResponse<String> get(String path, String... headers) {
    return served.admin("GET", path, "", headers);
  }

  HttpResponse<String> post(String path, String body, String... headers) {
    return served.admin("POST", path, body, headers);
  }

  HttpResponse<String> logIn(String token, String name, String... headers) {
    return post("/login", new JsonObject().put("token", token).put("name", name).encode(), headers);
  }

  /** The cookie that a browser presents after a login. */
  String session(String token, String name) {
    return cookie(logIn(token, name));
  }

  static String cookie(HttpResponse<String> login) {
    if (login.statusCode() != 204) {
      throw new AssertionError(login.statusCode() + " " + login.body());
    }
    return CheckTest.header(login, "Set-Cookie").replaceAll(";.*", "");
  }

  JsonObject whoAmI(String... headers) {
    return new JsonObject(get("/session", headers).body());
  }

  /** Spends a permit of the caller that {@link #ACME} is about. */
  void spend() {
    served.get("/v1/check/", "X-Key", "acme");
  }

  /** What is left of that caller's limit; reading it spends nothing. */
  long left() {
    JsonObject values = new JsonObject(ACME).put("operation", "peek");
    return new JsonObject(served.post("/v1/decide", values.encode()).body()).getLong("remaining");
  }

  /** All routes of the port, as the server lists them for a route that does not exist. */
  Set<String> routes() {
    String listed =
        new JsonObject(get("/no-such-page", bearer(OPERATOR)).body()).getString("detail");
    Set<String> routes = new TreeSet<>();
    ROUTE
        .matcher(listed.substring(listed.indexOf("(expected: ")))
        .results()
        .forEach(route -> routes.add(filledIn(route.group())));
    return routes;
  }

  /** A path with a value for each of its parameters. */
  static String filledIn(String path) {
    return path.replaceAll("\\{\\w+}", "0");
  }

  /** The routes that change something. */
  Set<String> changing() {
    Set<String> routes = routes();
    routes.removeIf(route -> route.startsWith("GET "));
    routes.removeAll(HARMLESS);
    return routes;
  }

  /** The routes of the port that the API description has. */
  Set<String> documented() {
    JsonObject paths = OpenApiDocument.of(served).getJsonObject("paths");
    Set<String> routes = new TreeSet<>();
    for (String path : paths.fieldNames()) {
      JsonObject methods = paths.getJsonObject(path);
      JsonArray servers = methods.getJsonArray("servers", new JsonArray());
      if (servers.encode().contains(":6070")) {
        for (String method : methods.fieldNames()) {
          if (!method.equals("servers")) {
            routes.add(method.toUpperCase(Locale.ROOT) + " " + path);
          }
        }
      }
    }
    return routes;
  }

  /** Sends a request from the address 127.0.0.N of this machine, and returns the status. */
  int statusFrom(int last, String path, String token) throws IOException {
    int port = served.server.adminPort();
    String head = "GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer " + token;
    try (Socket socket = new Socket()) {
      byte[] address = {127, 0, 0, (byte) last};
      socket.bind(new InetSocketAddress(InetAddress.getByAddress(address), 0));
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 60_000);
      try (RawClient client = new RawClient(socket, 60_000)) {
        client.send((head + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
        return Objects.requireNonNull(client.read(false)).status();
      }
    }
  }

  @Override
  public void close() {
    served.close();
  }
}
