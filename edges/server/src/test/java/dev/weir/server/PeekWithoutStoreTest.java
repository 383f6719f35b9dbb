package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.settings.ServerSettings;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Peek and explain report the expected decision while the store does not answer. */
class PeekWithoutStoreTest {
  private static final String RULES =
      """
      lint-ignore: [counted-twice]
      rules:
        - {name: open, match: {path: /all, header: {X: "*"}}, limit: 3/hour, when-store-fails: allow}
        - {name: here, match: {path: /all}, limit: 4/hour, when-store-fails: local}
        - {name: watched, match: {path: /all}, limit: 5/hour, shadow: true, when-store-fails: allow}
        - {name: alone, match: {path: /all}, limit: 6/hour, mode: local}
        - {name: shut, match: {path: /all, header: {Y: "*"}}, limit: 7/hour, when-store-fails: deny}
      """;

  private final FaultyStore store = new FaultyStore();
  private final TestServer served = TestServer.with(RULES, ServerSettings.DEFAULT, store);

  @AfterEach
  void close() {
    served.close();
  }

  private static JsonObject request(String header) {
    JsonObject values =
        new JsonObject().put("path", "/all").put("header " + header.toLowerCase(Locale.ROOT), "1");
    return new JsonObject().put("values", values);
  }

  private JsonObject peek(String header) {
    return served.decide(request(header).put("operation", "peek").encode());
  }

  private JsonObject explain(String header) {
    HttpResponse<String> response = served.admin("POST", "/explain", request(header).encode());
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.body()).doesNotContain("db7.internal");
    OpenApiDocument.conforms(served, response, "/explain", "post");
    return new JsonObject(response.body());
  }

  /** For each matching rule the remaining permits and their basis. */
  private static Map<String, String> standing(JsonObject explained) {
    Map<String, String> standing = new HashMap<>();
    for (Object one : explained.getJsonArray("rules")) {
      JsonObject rule = (JsonObject) one;
      if (rule.getBoolean("applies")) {
        JsonObject counter = rule.getJsonArray("counters").getJsonObject(0);
        standing.put(
            rule.getString("rule"),
            counter.getLong("remaining") + " " + counter.getString("degraded"));
      }
    }
    return standing;
  }

  @Test
  void peekReportsEachRuleAndTakesNothing() {
    served.decide(request("X").encode());
    store.gone = true;
    for (int i = 0; i < 6; i++) {
      JsonObject peeked = peek("X");
      assertThat(peeked.getBoolean("allowed")).isTrue();
      assertThat(peeked.getString("degraded")).isEqualTo("local");
      assertThat(peeked.getLong("remaining")).isEqualTo(3);
    }
    for (int i = 0; i < 3; i++) {
      assertThat(served.decide(request("X").encode()).getBoolean("allowed")).isTrue();
    }
    assertThat(peek("X").getBoolean("allowed")).isFalse();
    assertThat(peek("X").getString("rule")).isEqualTo("here");
    assertThat(peek("X").getLong("retryAfterMillis")).isPositive();
  }

  @Test
  void explainReportsKnownStateAndExpectedDecision() {
    served.decide(request("X").encode());
    store.gone = true;
    JsonObject explained = explain("X");
    assertThat(standing(explained))
        .containsOnly(
            Map.entry("open", "3 allow"),
            Map.entry("here", "3 local"),
            Map.entry("watched", "null null"),
            Map.entry("alone", "5 null"));
    assertThat(explained.getJsonObject("decision").getString("degraded")).isEqualTo("local");
    assertThat(explained.containsKey("error")).isFalse();
  }

  @Test
  void explainReportsRuleThatWouldDeny() {
    store.gone = true;
    JsonObject explained = explain("Y");
    assertThat(standing(explained)).containsEntry("shut", "null null").hasSize(4);
    assertThat(explained.containsKey("decision")).isFalse();
    JsonObject error = explained.getJsonObject("error");
    assertThat(error.getString("type")).isEqualTo("urn:weir:problem:store-unavailable");
    assertThat(error.getInteger("status")).isEqualTo(503);
    assertThat(error.getString("degraded")).isEqualTo("deny");
    assertThat(error.getString("effect")).isEqualTo("none");
  }

  @Test
  void eachRuleReportsItsFailureMode() {
    Map<String, String> then = new HashMap<>();
    for (Object one : explain("X").getJsonArray("rules")) {
      JsonObject rule = (JsonObject) one;
      then.put(
          rule.getString("rule"), Objects.toString(rule.getString("whenStoreFails"), "not asked"));
    }
    assertThat(then)
        .isEqualTo(
            Map.of(
                "open", "allow",
                "here", "local",
                "watched", "allow",
                "alone", "not asked",
                "shut", "deny"));
  }
}
