package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.server.admin.ExplainEdge;
import dev.weir.server.settings.ServerSettings;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

public class AdminTest {
  private static final String RULES =
      """
      identity: {key: header X-Key}
      rules:
        - {name: per-key, per: key, limit: 3/hour}
        - {name: login, match: {path: /login}, limit: 7/minute, shadow: true}
      """;
  private static final String ACME = "{\"values\": {\"header x-key\": \"acme\", \"path\": \"/\"}}";

  @Test
  void metricsCountDecisionsByRuleAndOutcome() {
    try (TestServer served = TestServer.with(RULES)) {
      for (int i = 0; i < 5; i++) {
        served.get("/v1/check/", "X-Key", "acme");
      }
      HttpResponse<String> metrics = served.admin("GET", "/metrics", "");
      assertThat(metrics.statusCode()).isEqualTo(200);
      assertThat(CheckTest.header(metrics, "Content-Type")).startsWith("text/plain");
      assertThat(metrics.body())
          .contains("weir_decisions_total{outcome=\"allowed\",rule=\"per-key\"} 3.0")
          .contains("weir_decisions_total{outcome=\"denied\",rule=\"per-key\"} 2.0")
          .contains("weir_rules 2.0")
          .contains("weir_store_keys 1.0")
          .contains("weir_rules_reloads_total 0.0")
          .doesNotContain("acme");
    }
  }

  @Test
  void activeRulesAndRejectedVersionAreListed() throws Exception {
    try (TestServer served = TestServer.with(RULES)) {
      JsonObject body = new JsonObject(served.admin("GET", "/rules", "").body());
      assertThat(body.getString("version")).isEqualTo(served.watch.status().version());
      JsonObject rule = named(body.getJsonArray("rules"), "name", "per-key");
      assertThat(rule.getJsonArray("per")).hasSize(1);
      assertThat(rule.getInteger("enforcedPercent")).isEqualTo(100);
      assertThat(rule.getJsonArray("limits").getJsonObject(0).getInteger("permits")).isEqualTo(3);
      assertThat(named(body.getJsonArray("rules"), "name", "login").getInteger("enforcedPercent"))
          .isZero();
      assertThat(body.getJsonArray("problems")).isEmpty();

      Files.writeString(served.rulesFile, "rules: [{name: broken}]");
      served.watch.poll();
      Thread.sleep(250);
      served.watch.poll();
      JsonObject refused = new JsonObject(served.admin("GET", "/rules", "").body());
      assertThat(refused.getInteger("refusals")).isEqualTo(1);
      assertThat(refused.getJsonArray("problems")).isNotEmpty();
      assertThat(refused.getString("version")).isEqualTo(body.getString("version"));
      JsonObject ready = new JsonObject(served.admin("GET", "/readyz", "").body());
      assertThat(ready.getBoolean("ready")).isTrue();
      assertThat(ready.getJsonArray("problems")).isEqualTo(refused.getJsonArray("problems"));
    }
  }

  @Test
  void explainReportsCountersAndTakesNothing() {
    try (TestServer served = TestServer.with(RULES)) {
      served.get("/v1/check/", "X-Key", "acme");
      for (int i = 0; i < 3; i++) {
        HttpResponse<String> response = served.admin("POST", "/explain", ACME);
        assertThat(response.statusCode()).isEqualTo(200);
        JsonObject body = new JsonObject(response.body());
        assertThat(body.getJsonObject("decision").getInteger("remaining")).isEqualTo(2);
        JsonArray rules = body.getJsonArray("rules");
        assertThat(named(rules, "rule", "per-key").getBoolean("applies")).isTrue();
        JsonObject login = named(rules, "rule", "login");
        assertThat(login.getBoolean("applies")).isFalse();
        assertThat(login.getJsonArray("failed").getJsonObject(0).getString("is")).isEqualTo("/");
      }
      HttpResponse<String> next = served.get("/v1/check/", "X-Key", "acme");
      assertThat(CheckTest.header(next, "X-RateLimit-Remaining")).isEqualTo("1");
    }
  }

  @Test
  void explainReadsHttpRequestLikeTheServer() {
    String rules =
        """
        trusted-proxies: [10.0.0.0/8]
        identity: {key: header X-Key}
        rules:
          - {name: per-key, per: key, limit: 3/hour}
          - {name: login, match: {method: POST, path: /login}, per: ip, limit: 7/minute}
          - {name: flight, match: {path: /login}, concurrent: 2}
          - {name: trial, per: ip, limit: 9/hour, shadow: true}
        """;
    try (TestServer served = TestServer.with(rules)) {
      served.get("/v1/check/", "X-Key", "acme");
      String question =
          "{\"request\": {\"method\": \"post\", \"target\": \"//login?a=b\", \"peer\": \"10.0.0.1\","
              + " \"headers\": [\"x-key: acme\", \"X-Forwarded-For: 203.0.113.7\", \"Host: H:80\"]}}";
      for (int i = 0; i < 3; i++) {
        JsonObject body = new JsonObject(served.admin("POST", "/explain", question).body());
        JsonObject read = body.getJsonObject("request");
        assertThat(read.getString("method")).isEqualTo("POST");
        assertThat(read.getString("path")).isEqualTo("/login");
        assertThat(read.getString("host")).isEqualTo("h");
        assertThat(read.getString("client")).isEqualTo("203.0.113.7");
        JsonArray each = body.getJsonArray("rules");
        assertThat(counter(each, "per-key").getInteger("remaining")).isEqualTo(2);
        assertThat(counter(each, "login").getInteger("remaining")).isEqualTo(7);
        assertThat(named(each, "rule", "login").getJsonArray("caller").getJsonObject(0))
            .isEqualTo(new JsonObject().put("name", "ip").put("value", "203.0.113.7"));
        assertThat(counter(each, "flight").getString("note")).contains("/v1/check leaves it out");
        assertThat(counter(each, "flight").getInteger("remaining")).isEqualTo(2);
        assertThat(counter(each, "trial").getBoolean("enforced")).isFalse();
        assertThat(body.getJsonObject("decision").getJsonArray("claims")).hasSize(2);
      }
      assertThat(
              new JsonObject(served.admin("POST", "/reset", question).body()).getInteger("reset"))
          .isEqualTo(3);
      HttpResponse<String> next = served.get("/v1/check/", "X-Key", "acme");
      assertThat(CheckTest.header(next, "X-RateLimit-Remaining")).isEqualTo("2");
    }
  }

  private static JsonObject counter(JsonArray rules, String rule) {
    return named(rules, "rule", rule).getJsonArray("counters").getJsonObject(0);
  }

  @Test
  void explainBoundsTheListOfRulesThatDoNotApply() {
    StringBuilder rules = new StringBuilder("rules:\n");
    for (int i = 0; i < ExplainEdge.MAX_NOT_APPLYING + 5; i++) {
      rules.append("  - {name: r").append(i).append(", match: {path: /p").append(i);
      rules.append("}, limit: 1/hour}\n");
    }
    try (TestServer served = TestServer.with(rules.toString())) {
      String last = "/p" + (ExplainEdge.MAX_NOT_APPLYING + 4);
      String question = "{\"values\": {\"path\": \"" + last + "\"}}";
      JsonObject body = new JsonObject(served.admin("POST", "/explain", question).body());
      assertThat(body.getJsonArray("rules")).hasSize(ExplainEdge.MAX_NOT_APPLYING + 1);
      assertThat(body.getInteger("omitted")).isEqualTo(4);
      assertThat(
              counter(body.getJsonArray("rules"), "r" + last.substring(2)).getInteger("remaining"))
          .isEqualTo(1);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1 | request: 1 (expected: an object with method and target)",
        "null | request: null (expected: an object with method and target)",
        "{} | request.method: null (expected: a method, such as GET)",
        "{\"method\": \"GET\"} | request.target: null (expected: a path, such as /login?next=a)",
        "{\"method\": \"G T\", \"target\": \"/\"} | request.method: G T (expected: a method, such as GET)",
        "{\"method\": \"GET\", \"target\": \"x\"} | request.target: x (expected: a path, such as"
            + " /login?next=a)",
        "{\"method\": \"GET\", \"target\": \"/\", \"peer\": \"x\"} | request.peer: x (expected: an IPv4 or"
            + " IPv6 address)",
        "{\"method\": \"GET\", \"target\": \"/\", \"headers\": 1} | request.headers: 1 (expected: a list,"
            + " such as [\"X-Key: k\"])",
        "{\"method\": \"GET\", \"target\": \"/\", \"headers\": [\"secret\"]} | request.headers: not a header"
            + " (expected: texts such as \"X-Key: k\", each of at most 8192)",
        "{\"method\": \"GET\", \"target\": \"/\", \"headers\": [\"a: b\\r\\nc: d\"]} | request.headers: not a"
            + " header (expected: texts such as \"X-Key: k\", each of at most 8192)",
        "{\"method\": \"GET\", \"target\": \"/\", \"x\": 1} | request: x (expected: method, target, headers,"
            + " peer)",
      })
  void malformedRequestIsRejectedWithReason(String request, String detail) {
    try (TestServer served = TestServer.with(RULES)) {
      for (String path : List.of("/explain", "/reset")) {
        HttpResponse<String> response =
            served.admin("POST", path, "{\"request\": " + request + "}");
        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(new JsonObject(response.body()).getString("detail")).isEqualTo(detail);
      }
    }
  }

  public static JsonObject named(JsonArray objects, String field, String name) {
    for (int i = 0; i < objects.size(); i++) {
      if (name.equals(objects.getJsonObject(i).getString(field))) {
        return objects.getJsonObject(i);
      }
    }
    throw new AssertionError("no " + name + " in " + objects);
  }

  @Test
  void resetRestoresTheFullLimit() {
    try (TestServer served = TestServer.with(RULES)) {
      for (int i = 0; i < 4; i++) {
        served.get("/v1/check/", "X-Key", "acme");
        served.get("/v1/check/", "X-Key", "globex");
      }
      assertThat(served.get("/v1/check/", "X-Key", "acme").statusCode()).isEqualTo(429);
      HttpResponse<String> reset = served.admin("POST", "/reset", ACME);
      assertThat(reset.statusCode()).isEqualTo(200);
      assertThat(new JsonObject(reset.body()).getInteger("reset")).isEqualTo(1);
      HttpResponse<String> next = served.get("/v1/check/", "X-Key", "acme");
      assertThat(next.statusCode()).isEqualTo(200);
      assertThat(CheckTest.header(next, "X-RateLimit-Remaining")).isEqualTo("2");
      assertThat(served.get("/v1/check/", "X-Key", "globex").statusCode()).isEqualTo(429);
    }
  }

  @Test
  void unknownPathsAndMalformedRequestsAreRejected() {
    try (TestServer served = TestServer.with(RULES)) {
      assertThat(served.admin("POST", "/", "").statusCode()).isEqualTo(404);
      assertThat(served.admin("GET", "/debug", "").statusCode()).isEqualTo(404);
      assertThat(served.admin("GET", "/reset", "").statusCode()).isEqualTo(404);
      assertThat(served.admin("GET", "/v1/check", "").statusCode()).isEqualTo(404);
      for (String body : List.of("", "null", "[]", "{}", "{\"values\": 1}")) {
        assertThat(served.admin("POST", "/explain", body).statusCode()).isEqualTo(400);
        assertThat(served.admin("POST", "/reset", body).statusCode()).isEqualTo(400);
      }
      for (String path : List.of("/metrics", "/rules", "/rlconfig", "/stats")) {
        assertThat(served.get(path).statusCode()).isEqualTo(404);
      }
    }
  }

  @Test
  void adminTokenIsRequiredIfConfigured() {
    try (TestServer served = TestServer.with(RULES, settings("127.0.0.1", "let-me-in"))) {
      for (String path : List.of("/metrics", "/rules", "/rlconfig", "/stats", "/", "/nowhere")) {
        HttpResponse<String> none = served.admin("GET", path, "");
        assertThat(none.statusCode()).isEqualTo(401);
        assertThat(CheckTest.header(none, "WWW-Authenticate")).isEqualTo("Bearer");
        assertThat(served.admin("GET", path, "", "Authorization", "Bearer let-me").statusCode())
            .isEqualTo(401);
      }
      assertThat(served.admin("POST", "/reset", ACME).statusCode()).isEqualTo(401);
      String[] shown = {"Authorization", "Bearer let-me-in"};
      assertThat(served.admin("GET", "/metrics", "", shown).statusCode()).isEqualTo(200);
      assertThat(served.admin("POST", "/reset", ACME, shown).statusCode()).isEqualTo(200);
      // Traffic needs none.
      assertThat(served.get("/v1/check/").statusCode()).isEqualTo(200);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.0.0.0", "::", "10.0.0.1", "admin.example.com", "127.evil.example"})
  void administrationBeyondLoopbackRequiresAToken(String host) {
    assertThatThrownBy(() -> settings(host, null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(host);
    assertThat(settings(host, "let-me-in").admin().host()).isEqualTo(host);
  }

  private static ServerSettings settings(String adminHost, @Nullable String token) {
    return ServerSettings.DEFAULT.withPorts(0, ServerSettings.OFF, 0).withAdmin(adminHost, token);
  }
}
