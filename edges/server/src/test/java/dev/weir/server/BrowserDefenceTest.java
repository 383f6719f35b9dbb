package dev.weir.server;

import static dev.weir.server.AdminAccess.ACME;
import static dev.weir.server.AdminAccess.OPERATOR;
import static dev.weir.server.AdminAccess.VIEWER;
import static dev.weir.server.AdminAccess.bearer;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.settings.MetricsSettings;
import dev.weir.server.settings.ServerSettings;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a web page can make the browser of an operator do on the administration port. */
@Timeout(300)
class BrowserDefenceTest {
  private static final Map<String, String> HEADERS =
      Map.of(
          "Content-Security-Policy",
          "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src"
              + " 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
          "X-Frame-Options",
          "DENY",
          "X-Content-Type-Options",
          "nosniff",
          "Referrer-Policy",
          "no-referrer",
          "Cross-Origin-Opener-Policy",
          "same-origin",
          "Cross-Origin-Resource-Policy",
          "same-origin",
          "Cache-Control",
          "no-store");

  private static void isDefended(HttpResponse<?> response, String what) {
    HEADERS.forEach(
        (name, value) ->
            assertThat(response.headers().allValues(name))
                .as("%s: %s", what, name)
                .containsExactly(value));
    assertThat(response.headers().firstValue("Access-Control-Allow-Origin")).as(what).isEmpty();
  }

  /** Every route with every sort of client, answered or refused. */
  @Test
  void noResponseCanBeFramedSniffedOrCached() {
    try (AdminAccess admin = AdminAccess.guarded()) {
      List<String> routes = new ArrayList<>(admin.routes());
      routes.addAll(List.of("GET /no-such-page", "DELETE /rules", "OPTIONS /reset"));
      for (String route : routes) {
        String[] parts = route.split(" ", 2);
        for (String[] headers :
            new String[][] {
              bearer(OPERATOR),
              bearer(VIEWER),
              {"Origin", "https://evil.example"},
              {"Sec-Fetch-Site", "cross-site"},
              {},
            }) {
          List<String> all = new ArrayList<>(List.of("Content-Type", "application/json"));
          all.addAll(List.of(headers));
          HttpResponse<?> response =
              admin.served.adminHead(parts[0], parts[1], ACME, all.toArray(String[]::new));
          isDefended(response, route + " " + response.statusCode());
        }
        isDefended(
            admin.served.adminHead(parts[0], parts[1], "a=b", "Content-Type", "text/plain"), route);
      }
      isDefended(admin.logIn(OPERATOR, "ann"), "login");
    }
  }

  @Test
  void portForMetricsIsDefendedToo() {
    MetricsSettings alone =
        MetricsSettings.DEFAULT.withListener(
            new MetricsSettings.Listener("127.0.0.1", 0, "/metrics"));
    try (AdminAccess admin = AdminAccess.of(ServerSettings.DEFAULT.withMetrics(alone))) {
      for (String path : List.of("/metrics", "/")) {
        URI uri = URI.create("http://127.0.0.1:" + admin.served.server.metricsPort() + path);
        isDefended(admin.served.send(HttpRequest.newBuilder(uri).build()), path);
      }
    }
  }

  /** What a form, an image or a script of another site sends with the cookie of a session. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "text/plain",
        "text/plain; application/json",
        "",
      })
  void formPostWithTheCookieOfASessionChangesNothing(String type) {
    try (AdminAccess admin = AdminAccess.guarded()) {
      String cookie = admin.session(OPERATOR, "ann");
      admin.spend();
      for (String route : admin.changing()) {
        String path = route.substring(route.indexOf(' ') + 1);
        HttpResponse<String> refused =
            type.isEmpty()
                ? admin.served.adminWith("POST", path, ACME, "Cookie", cookie)
                : admin.served.adminWith(
                    "POST", path, ACME, "Cookie", cookie, "Content-Type", type);
        assertThat(refused.statusCode()).as(route).isEqualTo(415);
      }
      assertThat(admin.left()).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "Origin, https://evil.example",
    "Origin, null",
    "Origin, http://127.0.0.1:1",
    "Sec-Fetch-Site, cross-site",
    "Sec-Fetch-Site, same-site",
  })
  void requestOfAnotherSiteWithTheCookieOfASessionIsRefused(String header, String value) {
    // Another port of the same host is the same site: the browser sends the cookie there too.
    try (AdminAccess admin = AdminAccess.guarded()) {
      String cookie = admin.session(OPERATOR, "ann");
      admin.spend();
      String[] headers = {"Cookie", cookie, header, value};
      for (String route : admin.routes()) {
        String[] parts = route.split(" ", 2);
        HttpResponse<String> refused = admin.served.admin(parts[0], parts[1], ACME, headers);
        assertThat(refused.statusCode()).as(route).isEqualTo(403);
        assertThat(new JsonObject(refused.body()).getString("detail"))
            .startsWith(header + ": " + value + " (expected: ");
      }
      assertThat(admin.left()).isEqualTo(2);
      assertThat(admin.get("/rules", "Cookie", cookie).statusCode()).isEqualTo(200);
    }
  }

  @Test
  void pageOfThisServerIsAccepted() {
    try (AdminAccess admin = AdminAccess.guarded()) {
      String cookie = admin.session(OPERATOR, "ann");
      String own = "http://127.0.0.1:" + admin.served.server.adminPort();
      String[] page = {"Cookie", cookie, "Origin", own, "Sec-Fetch-Site", "same-origin"};
      assertThat(admin.post("/reset", ACME, page).statusCode()).isEqualTo(200);
      String[] typed = {"Cookie", cookie, "Sec-Fetch-Site", "none"};
      assertThat(admin.get("/rules", typed).statusCode()).isEqualTo(200);
    }
  }

  @Test
  void anotherSiteCannotLogABrowserIn() {
    // It could then watch what the operator does in the session of somebody else.
    try (AdminAccess admin = AdminAccess.guarded()) {
      String body = new JsonObject().put("token", VIEWER).encode();
      for (HttpResponse<String> refused :
          List.of(
              admin.post("/login", body, "Origin", "https://evil.example"),
              admin.post("/login", body, "Sec-Fetch-Site", "same-site"),
              admin.served.adminWith("POST", "/login", body, "Content-Type", "text/plain"))) {
        assertThat(refused.statusCode()).isIn(403, 415);
        assertThat(refused.headers().firstValue("Set-Cookie")).isEmpty();
      }
    }
  }

  @Test
  void preflightIsNotGranted() {
    try (AdminAccess admin = AdminAccess.of(ServerSettings.DEFAULT)) {
      String[] asked = {
        "Origin", "https://evil.example",
        "Access-Control-Request-Method", "POST",
        "Access-Control-Request-Headers", "content-type"
      };
      for (String route : admin.routes()) {
        String path = route.substring(route.indexOf(' ') + 1);
        HttpResponse<String> refused = admin.served.adminWith("OPTIONS", path, "", asked);
        assertThat(refused.statusCode()).as(path).isEqualTo(403);
        assertThat(refused.headers().map().keySet())
            .noneMatch(name -> name.startsWith("access-control"));
      }
    }
  }

  @Test
  void deleteWithoutABodyNeedsNoContentType() {
    try (AdminAccess admin = AdminAccess.guarded()) {
      String[] program = bearer(OPERATOR);
      assertThat(admin.served.adminWith("DELETE", "/rules", "", program).statusCode())
          .isEqualTo(404);
      String[] form = bearer(OPERATOR, "Content-Type", "text/plain");
      assertThat(admin.served.adminWith("DELETE", "/rules", "x", form).statusCode()).isEqualTo(415);
    }
  }

  @Test
  void pageWithReboundDnsNameReachesNothing() throws IOException {
    // To the browser, the page of evil.example and this server are the same origin.
    try (AdminAccess admin = AdminAccess.of(ServerSettings.DEFAULT)) {
      admin.spend();
      String site = "evil.example:" + admin.served.server.adminPort();
      for (String route : admin.routes()) {
        List<String> lines =
            List.of(
                route + " HTTP/1.1",
                "Host: " + site,
                "Origin: http://" + site,
                "Sec-Fetch-Site: same-origin",
                "Content-Type: application/json",
                "Content-Length: " + ACME.length());
        String request = String.join("\r\n", lines) + "\r\n\r\n" + ACME;
        try (RawClient client = new RawClient(admin.served.server.adminPort(), 60_000)) {
          client.send(request.getBytes(StandardCharsets.US_ASCII));
          assertThat(Objects.requireNonNull(client.read(false)).status()).as(route).isEqualTo(421);
        }
      }
      assertThat(admin.left()).isEqualTo(2);
    }
  }
}
