package dev.weir.server;

import static dev.weir.server.AdminAccess.ACME;
import static dev.weir.server.AdminAccess.OPERATOR;
import static dev.weir.server.AdminAccess.VIEWER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.access.Sessions;
import dev.weir.testkit.TestCertificate;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sessions of browsers on the administration port. */
@Timeout(300)
class SessionsTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private static int rules(AdminAccess admin, String cookie) {
    return admin.get("/rules", "Cookie", cookie).statusCode();
  }

  @Test
  void loginExchangesATokenForACookie() {
    try (AdminAccess admin = AdminAccess.guarded()) {
      HttpResponse<String> login = admin.logIn(OPERATOR, " Ann Ö. ");
      assertThat(login.statusCode()).isEqualTo(204);
      int port = admin.served.server.adminPort();
      assertThat(CheckTest.header(login, "Set-Cookie"))
          .matches(
              "weir-session-" + port + "=[A-Za-z0-9_-]{43}; Path=/; HttpOnly; SameSite=Strict");
      String cookie = AdminAccess.cookie(login);
      assertThat(admin.whoAmI("Cookie", cookie))
          .isEqualTo(
              new JsonObject().put("role", "operator").put("name", "Ann Ö.").put("required", true));
      admin.spend();
      assertThat(admin.post("/reset", ACME, "Cookie", cookie).statusCode()).isEqualTo(200);
      assertThat(admin.left()).isEqualTo(3);
    }
  }

  @Test
  void sessionHasTheRoleOfItsToken() {
    try (AdminAccess admin = AdminAccess.guarded()) {
      String cookie = admin.session(VIEWER, "");
      assertThat(admin.whoAmI("Cookie", cookie).getString("role")).isEqualTo("viewer");
      assertThat(rules(admin, cookie)).isEqualTo(200);
      assertThat(admin.post("/reset", ACME, "Cookie", cookie).statusCode()).isEqualTo(403);
    }
  }

  @Test
  void cookieOverTlsIsForThisHostAlone(@TempDir Path directory) throws Exception {
    TestCertificate certificate = TestCertificate.make(directory, "own", "EC");
    try (AdminAccess admin =
        AdminAccess.of(AdminAccess.settings().withTls(TlsTest.files(certificate)))) {
      HttpClient client = HttpClient.newBuilder().sslContext(certificate.trusting()).build();
      URI base = URI.create("https://127.0.0.1:" + admin.served.server.adminPort());
      String token = new JsonObject().put("token", OPERATOR).encode();
      HttpRequest login =
          HttpRequest.newBuilder(base.resolve("/login"))
              .header("Content-Type", "application/json")
              .POST(BodyPublishers.ofString(token))
              .build();
      HttpResponse<String> answer = client.send(login, BodyHandlers.ofString());
      assertThat(CheckTest.header(answer, "Set-Cookie"))
          .startsWith("__Host-weir-session-")
          .contains("; Path=/;", "; HttpOnly;", "; SameSite=Strict", "; Secure")
          .doesNotContain("Domain");
      HttpRequest rules =
          HttpRequest.newBuilder(base.resolve("/rules"))
              .header("Cookie", AdminAccess.cookie(answer))
              .build();
      assertThat(client.send(rules, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
    }
  }

  @Test
  void wrongTokenBeginsNoSession() {
    try (AdminAccess admin = AdminAccess.guarded()) {
      for (String wrong : new String[] {"", "the-token", OPERATOR + "x", "Bearer " + OPERATOR}) {
        HttpResponse<String> refused = admin.logIn(wrong, "ann");
        assertThat(refused.statusCode()).as(wrong).isEqualTo(401);
        assertThat(refused.headers().firstValue("Set-Cookie")).isEmpty();
        assertThat(refused.body()).doesNotContain(OPERATOR);
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[] | body: not an object (expected: {\"token\": \"…\"})",
        "{} | token: none (expected: a text)",
        "{\"token\": 7} | token: not a text (expected: a text)",
        "{\"token\": \"x\", \"name\": 7} | name: 7 (expected: a text)",
        "{\"token\": \"x\", \"name\": \"<b>\"} | name: <b> (expected: at most 64 letters, digits,"
            + " blanks and . _ @ + ' -)",
        "{\"token\": \"x\", \"role\": \"operator\"} | field: role (expected: token, name)",
      })
  void malformedLoginIsRefusedWithReason(String body, String detail) {
    try (AdminAccess admin = AdminAccess.guarded()) {
      HttpResponse<String> refused = admin.post("/login", body);
      assertThat(refused.statusCode()).isEqualTo(400);
      assertThat(new JsonObject(refused.body()).getString("detail")).isEqualTo(detail);
    }
  }

  @Test
  void identifierSentBeforeTheLoginIsNotAdopted() {
    // Session fixation: somebody who can set a cookie in the browser must not know the session.
    try (AdminAccess admin = AdminAccess.guarded()) {
      String name = "weir-session-" + admin.served.server.adminPort();
      String fixed = name + "=chosen-by-somebody-else-chosen-by-somebody-els";
      String cookie = AdminAccess.cookie(admin.logIn(OPERATOR, "ann", "Cookie", fixed));
      assertThat(cookie).startsWith(name + "=").isNotEqualTo(fixed);
      assertThat(rules(admin, fixed)).isEqualTo(401);
      assertThat(rules(admin, cookie)).isEqualTo(200);
    }
  }

  @Test
  void newLoginEndsTheSessionBeforeIt() {
    try (AdminAccess admin = AdminAccess.guarded()) {
      String first = admin.session(VIEWER, "ann");
      String second = AdminAccess.cookie(admin.logIn(OPERATOR, "ann", "Cookie", first));
      assertThat(rules(admin, first)).isEqualTo(401);
      assertThat(rules(admin, second)).isEqualTo(200);
    }
  }

  @Test
  void severalSessionCookiesAreNone() {
    try (AdminAccess admin = AdminAccess.guarded()) {
      String mine = admin.session(OPERATOR, "ann");
      String other = admin.session(OPERATOR, "eve");
      assertThat(rules(admin, mine + "; theme=dark")).isEqualTo(200);
      assertThat(rules(admin, mine + "; " + other)).isEqualTo(401);
    }
  }

  @Test
  void idleSessionEnds() {
    try (AdminAccess admin = AdminAccess.guarded()) {
      String cookie = admin.session(OPERATOR, "ann");
      admin.clock.advance(Sessions.MAX_IDLE.minus(SECOND));
      assertThat(rules(admin, cookie)).isEqualTo(200);
      admin.clock.advance(Sessions.MAX_IDLE.minus(SECOND));
      assertThat(rules(admin, cookie)).isEqualTo(200);
      admin.clock.advance(Sessions.MAX_IDLE);
      assertThat(rules(admin, cookie)).isEqualTo(401);
      assertThat(admin.whoAmI("Cookie", cookie).getString("role")).isEqualTo("none");
    }
  }

  @Test
  void sessionEndsAfterItsLifeTimeHoweverBusy() {
    try (AdminAccess admin = AdminAccess.guarded()) {
      String cookie = admin.session(OPERATOR, "ann");
      Duration step = Sessions.MAX_IDLE.dividedBy(2);
      for (Duration age = step; age.compareTo(Sessions.MAX_AGE) < 0; age = age.plus(step)) {
        admin.clock.advance(step);
        assertThat(rules(admin, cookie)).as("after " + age).isEqualTo(200);
      }
      admin.clock.advance(step);
      assertThat(rules(admin, cookie)).isEqualTo(401);
    }
  }

  @Test
  void logoutEndsTheSession() {
    try (AdminAccess admin = AdminAccess.guarded()) {
      String cookie = admin.session(OPERATOR, "ann");
      HttpResponse<String> logout = admin.post("/logout", "", "Cookie", cookie);
      assertThat(logout.statusCode()).isEqualTo(204);
      assertThat(CheckTest.header(logout, "Set-Cookie")).contains("=; ", "; Max-Age=0");
      assertThat(rules(admin, cookie)).isEqualTo(401);
    }
  }

  @Test
  void sessionsEndWithTheProcess() {
    String cookie;
    try (AdminAccess admin = AdminAccess.guarded()) {
      cookie = admin.session(OPERATOR, "ann");
    }
    try (AdminAccess again = AdminAccess.guarded()) {
      String id = cookie.replaceFirst(".*=", "");
      String moved = "weir-session-" + again.served.server.adminPort() + "=" + id;
      assertThat(rules(again, moved)).isEqualTo(401);
    }
  }

  @Test
  void tooManySessionsEndTheOneThatIsIdleForLongest() {
    try (AdminAccess admin = AdminAccess.guarded()) {
      List<String> cookies = new ArrayList<>();
      for (int i = 0; i < Sessions.MAX; i++) {
        cookies.add(admin.session(VIEWER, ""));
        admin.clock.advance(Duration.ofMillis(1));
      }
      Set<String> distinct = new HashSet<>(cookies);
      assertThat(distinct).hasSize(Sessions.MAX);
      assertThat(rules(admin, cookies.get(0))).isEqualTo(200);
      String last = admin.session(VIEWER, "");
      assertThat(rules(admin, cookies.get(0))).as("used").isEqualTo(200);
      assertThat(rules(admin, cookies.get(1))).as("idle").isEqualTo(401);
      assertThat(rules(admin, last)).isEqualTo(200);
    }
  }
}
