package dev.weir.server;

import static dev.weir.server.AdminAccess.ACME;
import static dev.weir.server.AdminAccess.OPERATOR;
import static dev.weir.server.AdminAccess.VIEWER;
import static dev.weir.server.AdminAccess.bearer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.server.settings.ServerSettings;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What viewers and operators may do on the administration port. */
@Timeout(300)
class RolesTest {
  private static String detail(HttpResponse<String> refused) {
    return new JsonObject(refused.body()).getString("detail");
  }

  @Test
  void viewerIsRefusedOnEveryRouteThatChangesSomething() {
    try (AdminAccess admin = AdminAccess.guarded()) {
      admin.spend();
      assertThat(admin.changing()).contains("POST /reset", "POST /v1/decide", "POST /v1/release");
      for (String route : admin.changing()) {
        String[] parts = route.split(" ", 2);
        HttpResponse<String> refused = admin.served.admin(parts[0], parts[1], ACME, bearer(VIEWER));
        assertThat(refused.statusCode()).as(route).isEqualTo(403);
        assertThat(detail(refused))
            .isEqualTo("role: viewer (expected: operator, by the token for administrators)");
      }
      assertThat(admin.left()).isEqualTo(2);
      assertThat(admin.post("/reset", ACME, bearer(OPERATOR)).statusCode()).isEqualTo(200);
      assertThat(admin.left()).isEqualTo(3);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"POST /", "POST /rules", "PUT /rules", "DELETE /rules/1", "PATCH /new", "POST /x"})
  void routeThatNobodyThoughtOfNeedsAnOperator(String route) {
    try (AdminAccess admin = AdminAccess.guarded()) {
      String[] parts = route.split(" ", 2);
      assertThat(admin.served.admin(parts[0], parts[1], "{}", bearer(VIEWER)).statusCode())
          .isEqualTo(403);
      assertThat(admin.served.admin(parts[0], parts[1], "{}", bearer(OPERATOR)).statusCode())
          .isEqualTo(404);
    }
  }

  @Test
  void viewerReadsEveryPageAndAsksForExplanations() {
    try (AdminAccess admin = AdminAccess.guarded()) {
      admin.spend();
      Set<String> pages = admin.routes();
      pages.removeIf(route -> !route.startsWith("GET "));
      assertThat(pages.remove("GET /live")).isTrue(); // it never ends: LiveTest
      assertThat(pages).contains("GET /", "GET /metrics", "GET /rules", "GET /stats");
      for (String page : pages) {
        assertThat(admin.get(page.substring(4), bearer(VIEWER)).statusCode())
            .as(page)
            .isEqualTo(200);
      }
      HttpResponse<String> explained = admin.post("/explain", ACME, bearer(VIEWER));
      assertThat(explained.statusCode()).isEqualTo(200);
      assertThat(new JsonObject(explained.body()).getJsonObject("decision").getLong("remaining"))
          .isEqualTo(2);
      assertThat(admin.left()).isEqualTo(2);
    }
  }

  @Test
  void prometheusScrapesWithTheTokenOfViewers() {
    try (AdminAccess admin = AdminAccess.guarded()) {
      HttpResponse<String> metrics = admin.served.adminWith("GET", "/metrics", "", bearer(VIEWER));
      assertThat(metrics.statusCode()).isEqualTo(200);
      assertThat(metrics.body()).contains("weir_rules 1.0");
    }
  }

  @Test
  void everyRouteNeedsATokenButThoseOfTheLogin() {
    try (AdminAccess admin = AdminAccess.guarded()) {
      Set<String> open = Set.of("GET /session", "POST /login", "POST /logout");
      Set<String> closed = new TreeSet<>(admin.routes());
      assertThat(closed).containsAll(open);
      closed.removeAll(open);
      for (String route : closed) {
        String[] parts = route.split(" ", 2);
        HttpResponse<String> refused = admin.served.admin(parts[0], parts[1], ACME);
        assertThat(refused.statusCode()).as(route).isEqualTo(401);
        assertThat(CheckTest.header(refused, "WWW-Authenticate")).isEqualTo("Bearer");
      }
      assertThat(admin.whoAmI())
          .isEqualTo(new JsonObject().put("role", "none").put("name", "").put("required", true));
      assertThat(admin.post("/logout", "").statusCode()).isEqualTo(204);
      assertThat(admin.post("/login", "{}").statusCode()).isEqualTo(400);
    }
  }

  @Test
  void withoutTokensEverybodyIsAnOperator() {
    try (AdminAccess admin = AdminAccess.of(ServerSettings.DEFAULT)) {
      admin.spend();
      assertThat(admin.whoAmI())
          .isEqualTo(
              new JsonObject()
                  .put("role", "operator")
                  .put("name", "unnamed")
                  .put("required", false));
      assertThat(admin.post("/reset", ACME).statusCode()).isEqualTo(200);
      assertThat(admin.left()).isEqualTo(3);
      String cookie = AdminAccess.cookie(admin.post("/login", "{\"name\": \"Ann\"}"));
      assertThat(admin.whoAmI("Cookie", cookie).getString("name")).isEqualTo("Ann");
    }
  }

  @Test
  void programNamesItsUser() {
    try (AdminAccess admin = AdminAccess.guarded()) {
      assertThat(admin.whoAmI(bearer(OPERATOR, "Weir-Operator", " ann@example.com ")))
          .isEqualTo(
              new JsonObject()
                  .put("role", "operator")
                  .put("name", "ann@example.com")
                  .put("required", true));
      for (String impossible : new String[] {"<b>", "a\tb", "x".repeat(65), "-"}) {
        HttpResponse<String> refused =
            admin.get("/rules", bearer(VIEWER, "Weir-Operator", impossible));
        assertThat(refused.statusCode()).as(impossible).isEqualTo(400);
        assertThat(detail(refused)).startsWith("Weir-Operator: name: ").contains(" (expected: ");
      }
    }
  }

  @Test
  void listOfRoutesIsThatOfTheDocument() {
    try (AdminAccess admin = AdminAccess.guarded()) {
      Set<String> routes = new TreeSet<>(admin.routes());
      // These are documented for the traffic port.
      assertThat(routes.remove("POST /v1/decide") && routes.remove("POST /v1/release")).isTrue();
      // This one is on both ports, and documented once.
      assertThat(routes.remove("GET /readyz")).isTrue();
      Set<String> documented = new TreeSet<>();
      admin.documented().forEach(route -> documented.add(AdminAccess.filledIn(route)));
      assertThat(documented).isEqualTo(routes);
    }
  }

  @Test
  void refusalsConformToTheDocument() {
    try (AdminAccess admin = AdminAccess.guarded()) {
      for (String route : admin.documented()) {
        String[] parts = route.split(" ", 2);
        for (String token : List.of(VIEWER, OPERATOR, "not-the-token", "not-the-token")) {
          HttpResponse<String> answer =
              admin.served.admin(parts[0], AdminAccess.filledIn(parts[1]), ACME, bearer(token));
          String method = parts[0].toLowerCase(Locale.ROOT);
          OpenApiDocument.conforms(admin.served, answer, parts[1], method);
        }
      }
      assertThat(admin.get("/rules", bearer(VIEWER)).statusCode())
          .as("the last routes were refused for too many wrong tokens")
          .isEqualTo(429);
    }
  }

  @Test
  void uselessTokensAreRefused() {
    ServerSettings open = ServerSettings.DEFAULT;
    assertThatThrownBy(() -> open.withViewerToken(VIEWER))
        .hasMessage("viewer token: alone (expected: a token for administrators too)");
    ServerSettings guarded = open.withAdmin("127.0.0.1", OPERATOR);
    assertThatThrownBy(() -> guarded.withViewerToken(OPERATOR))
        .hasMessage("viewer token: that of administrators (expected: another one)");
    assertThatThrownBy(() -> guarded.withViewerToken("short"))
        .hasMessageStartingWith("token: too short (expected: ");
    assertThat(guarded.withViewerToken(VIEWER).admin().toString())
        .doesNotContain(VIEWER)
        .doesNotContain(OPERATOR);
  }
}
