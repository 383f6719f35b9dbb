package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DecideTest {
  private static final String RULES =
      """
      rules:
        - {name: tokens, match: {entry: {model: "*"}}, per: entry tenant, limit: 100/hour}
        - {name: flight, match: {path: /slow}, concurrent: 2}
      """;
  private static final String ACME =
      "\"values\": {\"entry model\": \"m\", \"entry tenant\": \"acme\"}";

  @Test
  void invalidMethodMatchesEveryRuleOnMethodsLikeCheck() {
    String rules = "rules: [{name: posts, match: {method: POST}, limit: blocked}]";
    try (TestServer served = TestServer.with(rules)) {
      for (String method : new String[] {"post", "PO ST", "", "POST,GET", "P".repeat(33)}) {
        JsonObject values = new JsonObject().put("method", method);
        String body = new JsonObject().put("values", values).encode();
        assertThat(new JsonObject(served.post("/v1/decide", body).body()).getBoolean("allowed"))
            .as(method)
            .isFalse();
      }
      String get = "{\"values\": {\"method\": \"get\"}}";
      assertThat(new JsonObject(served.post("/v1/decide", get).body()).getBoolean("allowed"))
          .isTrue();
    }
  }

  @Test
  void takePeekRefundAndCharge() {
    try (TestServer served = TestServer.with(RULES)) {
      assertThat(remaining(served, "take", 30)).isEqualTo(70);
      assertThat(remaining(served, "peek", 30)).isEqualTo(70);
      assertThat(remaining(served, "refund", 10)).isEqualTo(80);
      assertThat(remaining(served, "charge", 120)).isZero();
      JsonObject denied = served.decide("{\"cost\": 1, " + ACME + "}");
      assertThat(denied.getBoolean("allowed")).isFalse();
      assertThat(denied.getLong("debt")).isEqualTo(40);
      assertThat(denied.getString("rule")).isEqualTo("tokens");
      assertThat(denied.getLong("retryAfterMillis")).isBetween(1_400_000L, 1_500_000L);
      assertThat(served.decide("{\"cost\": 101, " + ACME + "}").getString("verdict"))
          .isEqualTo("never");
    }
  }

  @Test
  void inFlightDenialHasShortRetryAfter() {
    try (TestServer served = TestServer.with(RULES)) {
      String slow = "{\"values\": {\"path\": \"/slow\"}}";
      assertThat(served.decide(slow).containsKey("debt")).isFalse();
      served.decide(slow);
      JsonObject denied = served.decide(slow);
      assertThat(denied.getString("rule")).isEqualTo("flight");
      assertThat(denied.getLong("retryAfterMillis")).isEqualTo(1_000);
    }
  }

  private static long remaining(TestServer served, String operation, int cost) {
    return served
        .decide("{\"operation\": \"" + operation + "\", \"cost\": " + cost + ", " + ACME + "}")
        .getLong("remaining");
  }

  @Test
  void aBatchIsDecidedInOrder() {
    try (TestServer served = TestServer.with(RULES)) {
      String one = "{\"cost\": 60, " + ACME + "}";
      JsonArray decisions =
          served.decide("{\"requests\": [" + one + "," + one + "]}").getJsonArray("decisions");
      assertThat(decisions.getJsonObject(0).getBoolean("allowed")).isTrue();
      assertThat(decisions.getJsonObject(1).getBoolean("allowed")).isFalse();
    }
  }

  @Test
  void batchWithMalformedEntryChargesNothing() {
    try (TestServer served = TestServer.with(RULES)) {
      String one = "{\"cost\": 60, " + ACME + "}";
      String bad = "{\"values\": {\"ip\": \"x\"}}";
      assertThat(
              served.post("/v1/decide", "{\"requests\": [" + one + "," + bad + "]}").statusCode())
          .isEqualTo(400);
      assertThat(remaining(served, "peek", 1)).isEqualTo(100);
    }
  }

  @Test
  void permitReleasesOnce() {
    try (TestServer served = TestServer.with(RULES)) {
      String slow = "{\"values\": {\"path\": \"/slow\"}}";
      String permit = served.decide(slow).getString("permit");
      assertThat(served.decide(slow).getBoolean("allowed")).isTrue();
      assertThat(served.decide(slow).getBoolean("allowed")).isFalse();
      String release = "{\"permit\": \"" + permit + "\"}";
      assertThat(served.post("/v1/release", release).statusCode()).isEqualTo(200);
      assertThat(served.post("/v1/release", release).statusCode()).isEqualTo(200);
      assertThat(served.decide(slow).getBoolean("allowed")).isTrue();
      assertThat(served.decide(slow).getBoolean("allowed")).isFalse();
    }
  }

  @Test
  void malformedOrOutdatedPermitIsRejected() {
    ByteBuffer earlier = ByteBuffer.allocate(1 + 5 * Long.BYTES).put((byte) 1).putLong(7);
    earlier.putLong(1).putLong(2).putLong(2).putLong(60_000_000);
    try (TestServer served = TestServer.with(RULES)) {
      String permit = served.decide("{\"values\": {\"path\": \"/slow\"}}").getString("permit");
      List<String> none =
          List.of(
              Base64.getUrlEncoder().withoutPadding().encodeToString(earlier.array()),
              permit.substring(4),
              permit + "AAAA",
              "AAAA",
              "",
              "?");
      for (String text : none) {
        HttpResponse<String> response =
            served.post("/v1/release", "{\"permit\": \"" + text + "\"}");
        assertThat(response.statusCode()).as(text).isEqualTo(400);
        assertThat(new JsonObject(response.body()).getString("detail"))
            .isEqualTo("permit: unknown (expected: the permit of a decision)");
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | body: not a JSON object (expected: {\"values\": {…}})",
        "[] | body: not a JSON object (expected: {\"values\": {…}})",
        "{} | values: null (expected: an object of names and texts)",
        "{\"values\": {}, \"x\": 1} | field: x (expected: operation, values, cost, load)",
        "{\"values\": {\"a\": 1}} | values.a: 1 (expected: a text)",
        "{\"values\": {\"pth\": \"/\"}} | values.pth: unknown name (expected: method, host, path, ip,"
            + " domain, header NAME, trusted-header NAME, cookie NAME, jwt CLAIM or entry KEY; did you"
            + " mean path?)",
        "{\"values\": {\"ip\": \"x\"}} | values.ip: x (expected: an IPv4 or IPv6 address)",
        "{\"values\": {}, \"cost\": -1} | cost: -1 (expected: a whole number between 0 and"
            + " 2251799813685248)",
        "{\"values\": {}, \"cost\": 1.5} | cost: 1.5 (expected: a whole number between 0 and"
            + " 2251799813685248)",
        "{\"values\": {}, \"operation\": \"give\"} | operation: give (expected: take, peek, refund or"
            + " charge)",
        "{\"requests\": []} | requests: 0 (expected: between 1 and 100)",
        "{\"requests\": 7} | requests: 7 (expected: a list, and nothing beside it)",
      })
  void malformedRequestIsRejectedWithReason(String body, String detail) {
    try (TestServer served = TestServer.with(RULES)) {
      HttpResponse<String> response = served.post("/v1/decide", body);
      assertThat(response.statusCode()).isEqualTo(400);
      assertThat(new JsonObject(response.body()).getString("detail")).isEqualTo(detail);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "pth | did you mean path?",
        "Path | did you mean path?",
        "PATH | did you mean path?",
        "client-ip | KEY)",
        "ip exact | KEY)",
        "path other-readings | KEY)",
        "header X-Plan | did you mean header x-plan?",
        "Header x-plan | did you mean header x-plan?",
        "header x-paln | a name that no rule reads (expected: one that rules read; did you mean header"
            + " x-plan?)",
        "header x_plan | did you mean header x-plan?",
        "header x-plans | did you mean header x-plan?",
        "header  x-plan | did you mean header x-plan?",
        "x-plan | did you mean header x-plan?",
        "tenant | did you mean entry tenant?",
        "entry Tenant | did you mean entry tenant?",
        "entry tenannt | did you mean entry tenant?",
        "entyr tenant | did you mean entry tenant?",
        "'entry ' | KEY)",
        "'' | KEY)",
      })
  void aNameThatNobodyReadsIsRefusedWithTheNearestOneAndNothingIsCharged(String name, String hint) {
    String rules =
        """
        rules:
          - {name: plan, match: {header: {x-plan: "*"}}, per: entry tenant, limit: 10/hour}
          - {name: net, match: {ip: 10.0.0.0/8, path: /}, limit: 10/hour}
        """;
    String right = "{\"values\": {\"header x-plan\": \"pro\"}}";
    JsonObject wrong = new JsonObject().put("values", new JsonObject().put(name, "pro"));
    try (TestServer served = TestServer.with(rules)) {
      String batch = "{\"requests\": [" + right + "," + wrong + "]}";
      for (String body : List.of(wrong.encode(), batch)) {
        HttpResponse<String> response = served.post("/v1/decide", body);
        assertThat(response.statusCode()).as(name).isEqualTo(400);
        assertThat(new JsonObject(response.body()).getString("detail"))
            .startsWith("values." + name + ": ")
            .endsWith(hint.endsWith(")") ? hint : hint + ")");
      }
      for (String path : List.of("/explain", "/reset")) {
        assertThat(served.admin("POST", path, wrong.encode()).statusCode()).isEqualTo(400);
      }
      assertThat(served.decide(right).getLong("remaining")).isEqualTo(9);
    }
  }

  @Test
  void unusedValueIsIgnoredAndReported() {
    String rules =
        """
        rules:
          - {name: plan, match: {header: {x-plan: "*"}}, per: entry key1, limit: 10/hour}
        """;
    // Rules could read each, and none is a typo of one that is read: the right one stands beside
    // it,
    // or it has another number.
    String extra =
        "\"header x-plans\": \"a\", \"entry key2\": \"b\", \"jwt sub\": \"c\", \"cookie s\": \"d\","
            + " \"path\": \"/\", \"domain\": \"e\"";
    String asked = "{\"values\": {\"header x-plan\": \"pro\", " + extra + "}}";
    try (TestServer served = TestServer.with(rules)) {
      JsonObject decision = served.decide(asked);
      assertThat(decision.getString("rule")).isEqualTo("plan");
      assertThat(decision.getJsonArray("unread"))
          .containsExactlyInAnyOrder("header x-plans", "entry key2", "jwt sub", "cookie s");
      assertThat(
              new JsonObject(served.admin("POST", "/explain", asked).body()).getJsonArray("unread"))
          .hasSize(4);
      assertThat(served.decide("{\"values\": {\"header x-plan\": \"pro\"}}").containsKey("unread"))
          .isFalse();
    }
  }

  @Test
  void oversizedBodyWrongMethodAndWrongPathAreRejected() {
    try (TestServer served = TestServer.with(RULES)) {
      assertThat(served.post("/v1/decide", " ".repeat(2 << 20)).statusCode()).isEqualTo(413);
      assertThat(served.get("/v1/decide").statusCode()).isEqualTo(405);
      assertThat(served.get("/v2").statusCode()).isEqualTo(404);
      assertThat(served.post("/v1/release", "{\"permit\": \"AAAA\"}").statusCode()).isEqualTo(400);
    }
  }
}
