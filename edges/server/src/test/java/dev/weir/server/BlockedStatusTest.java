package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The status that blocked callers get. */
class BlockedStatusTest {
  private static final String RULES =
      """
      lint-ignore: forgeable-key
      tiers: {closed: blocked, open: 5/hour}
      rules:
        - name: list
          match: {path: /list}
          per: header X-Key
          limit: 1/hour
          block: mallory
          overrides: {trudy: blocked}
          blocked-status: 403
        - name: plan
          match: {path: /plan}
          tier: header X-Plan
          default-tier: open
          blocked-status: 403
        - {name: quiet, match: {path: /quiet}, limit: blocked}
        - {name: trial, match: {path: /trial}, limit: blocked, blocked-status: 403, shadow: true}
      """;

  @Test
  void blockedCallerGetsTheStatusOfTheRule() {
    try (TestServer served = TestServer.with(RULES)) {
      for (String[] header : new String[][] {{"X-Key", "mallory"}, {"X-Key", "trudy"}}) {
        HttpResponse<String> blocked = served.get("/v1/check/list", header);
        assertThat(blocked.statusCode()).isEqualTo(403);
        assertThat(blocked.headers().firstValue("Retry-After")).isEmpty();
        assertThat(new JsonObject(blocked.body()))
            .isEqualTo(
                new JsonObject()
                    .put("type", "about:blank")
                    .put("title", "Forbidden")
                    .put("status", 403)
                    .put("detail", "This caller is blocked.")
                    .put("violated-policies", new JsonArray(List.of("list"))));
      }
      assertThat(served.get("/v1/check/plan", "X-Plan", "closed").statusCode()).isEqualTo(403);
      assertThat(served.get("/v1/check/quiet").statusCode()).isEqualTo(429);
      assertThat(served.get("/v1/check/trial").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void callerOverTheLimitGets429FromTheSameRule() {
    try (TestServer served = TestServer.with(RULES)) {
      assertThat(served.get("/v1/check/list", "X-Key", "a").statusCode()).isEqualTo(200);
      HttpResponse<String> denied = served.get("/v1/check/list", "X-Key", "a");
      assertThat(denied.statusCode()).isEqualTo(429);
      assertThat(new JsonObject(denied.body()).getString("title")).isEqualTo("Too many requests");
    }
  }

  @Test
  void gatewayLimitedTo403GetsTheClientStatusInAHeader() {
    try (TestServer served = TestServer.with(RULES)) {
      String[] list = TestServer.forwardedHeaders("/list", "X-Key", "mallory");
      HttpResponse<String> blocked = served.get("/v1/check?deny=403", list);
      assertThat(blocked.statusCode()).isEqualTo(403);
      assertThat(CheckTest.header(blocked, "Weir-Status")).isEqualTo("403");
      HttpResponse<String> quiet =
          served.get("/v1/check?deny=403", TestServer.forwardedHeaders("/quiet"));
      assertThat(quiet.statusCode()).isEqualTo(403);
      assertThat(CheckTest.header(quiet, "Weir-Status")).isEqualTo("429");
      assertThat(served.get("/v1/check/quiet").headers().firstValue("Weir-Status")).isEmpty();
      assertThat(served.get("/v1/check?body=plain", list).body())
          .isEqualTo("{\"error\":\"forbidden\"}");
    }
  }

  @Test
  void decisionCarriesTheSameStatus() {
    try (TestServer served = TestServer.with(RULES)) {
      String mallory = "{\"values\": {\"path\": \"/list\", \"header x-key\": \"mallory\"}}";
      JsonObject blocked = served.decide(mallory);
      assertThat(blocked.getBoolean("allowed")).isFalse();
      assertThat(blocked.getString("rule")).isEqualTo("list");
      assertThat(blocked.getInteger("status")).isEqualTo(403);
      assertThat(served.decide(TestServer.values("/quiet")).getInteger("status")).isEqualTo(429);
      assertThat(served.decide(TestServer.values("/free")).containsKey("status")).isFalse();
    }
  }
}
