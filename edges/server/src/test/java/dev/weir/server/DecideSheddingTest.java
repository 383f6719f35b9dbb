package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs that report their load to {@code /v1/decide} have requests shed by priority. */
class DecideSheddingTest {
  private static final String RULES =
      """
      rules: [{name: all, limit: 100/hour}]
      shedding:
        capacity: 100
        priorities:
          - {match: {path: /healthz}, priority: 0}
          - {match: {header: {X-Test: "*"}}, priority: 3}
        queue-delay: none
      """;

  private static String body(String method, String path, String load) {
    return String.format(
        "{\"values\": {\"method\": \"%s\", \"path\": \"%s\"}, \"load\": %s}", method, path, load);
  }

  @Test
  void requestIsShedByItsPriorityAndChargesNothing() {
    try (TestServer served = TestServer.with(RULES)) {
      JsonObject admitted = served.decide(body("GET", "/a", "{\"inFlight\": 79}"));
      assertThat(admitted.getBoolean("allowed")).isTrue();
      assertThat(admitted.getInteger("priority")).isEqualTo(2);
      assertThat(admitted.getLong("remaining")).isEqualTo(99);
      JsonObject shed = served.decide(body("GET", "/a", "{\"inFlight\": 80}"));
      assertThat(shed.getBoolean("allowed")).isFalse();
      assertThat(shed.getString("verdict")).isEqualTo("shed");
      assertThat(shed.getInteger("status")).isEqualTo(503);
      assertThat(shed.getInteger("priority")).isEqualTo(2);
      assertThat(shed.getString("reason")).isEqualTo("capacity");
      assertThat(shed.getLong("retryAfterMillis")).isIn(1_000L, 2_000L, 3_000L, 4_000L, 5_000L);
      assertThat(shed.getJsonArray("claims")).isEmpty();
      assertThat(served.decide(body("GET", "/a", "{\"inFlight\": 75}")).getString("verdict"))
          .as("hysteresis")
          .isEqualTo("shed");
      assertThat(served.decide(body("POST", "/a", "{\"inFlight\": 89}")).getLong("remaining"))
          .isEqualTo(98);
      assertThat(
              served.decide(body("GET", "/healthz", "{\"inFlight\": 1000}")).getLong("remaining"))
          .isEqualTo(97);
      JsonObject test =
          served.decide(
              "{\"values\": {\"method\": \"POST\", \"header x-test\": \"1\"},"
                  + " \"load\": {\"inFlight\": 70, \"queueDelayMillis\": 3000}}");
      assertThat(test.getInteger("priority")).isEqualTo(3);
      assertThat(test.getString("verdict")).isEqualTo("shed");
      assertThat(test.containsKey("unread")).isFalse();
      String metrics = served.admin("GET", "/metrics", "").body();
      assertThat(metrics)
          .contains("weir_shedding_requests_total{outcome=\"admitted\",priority=\"0\"} 1.0")
          .contains("weir_shedding_requests_total{outcome=\"admitted\",priority=\"1\"} 1.0")
          .contains("weir_shedding_requests_total{outcome=\"admitted\",priority=\"2\"} 1.0")
          .contains("weir_shedding_requests_total{outcome=\"capacity\",priority=\"2\"} 2.0")
          .contains("weir_shedding_requests_total{outcome=\"capacity\",priority=\"3\"} 1.0")
          .contains("weir_shedding_requests_total{outcome=\"queue-delay\",priority=\"3\"} 0.0")
          .contains("weir_shedding_utilisation_ratio 0.7")
          .contains("weir_decisions_total{outcome=\"allowed\",rule=\"all\"} 3.0");
    }
  }

  @Test
  void requestWithoutALoadIsNeverShed() {
    try (TestServer served = TestServer.with(RULES)) {
      served.decide(body("GET", "/a", "{\"inFlight\": 1000}"));
      JsonObject decision = served.decide("{\"values\": {\"path\": \"/a\"}}");
      assertThat(decision.getBoolean("allowed")).isTrue();
      assertThat(decision.containsKey("priority")).isFalse();
      assertThat(served.decide(body("GET", "/a", "null")).getBoolean("allowed")).isTrue();
    }
  }

  @Test
  void eachRequestOfABatchIsShedByItself() {
    try (TestServer served = TestServer.with(RULES)) {
      JsonArray decisions =
          served
              .decide(
                  "{\"requests\": ["
                      + body("POST", "/a", "{\"inFlight\": 85}")
                      + ","
                      + body("GET", "/a", "{\"inFlight\": 85}")
                      + ","
                      + body("GET", "/healthz", "{\"inFlight\": 85}")
                      + "]}")
              .getJsonArray("decisions");
      assertThat(decisions.getJsonObject(0).getLong("remaining")).isEqualTo(99);
      assertThat(decisions.getJsonObject(1).getString("verdict")).isEqualTo("shed");
      assertThat(decisions.getJsonObject(2).getLong("remaining")).isEqualTo(98);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "7; load: 7 (expected: an object with inFlight)",
        "[]; load: [] (expected: an object with inFlight)",
        "{}; load.inFlight: nothing (expected: the requests in flight)",
        "{\"inFlight\": null}; load.inFlight: nothing (expected: the requests in flight)",
        "{\"inFlight\": -1}; load.inFlight: -1 (expected: a whole number between 0 and 1000000000)",
        "{\"inFlight\": 1.5}; load.inFlight: 1.5 (expected: a whole number",
        "{\"inFlight\": 1e99}; load.inFlight: 1.0E99 (expected: a whole number",
        "{\"inFlight\": 99999999999999999999}; load.inFlight: 99999999999999999999 (expected: a",
        "{\"inFlight\": \"9\"}; load.inFlight: 9 (expected: a whole number",
        "{\"inFlight\": 1, \"queueDelayMillis\": -1}; load.queueDelayMillis: -1 (expected: a whole",
        "{\"inFlight\": 1, \"queueDelayMillis\": 3600001}; load.queueDelayMillis: 3600001 (expected",
        "{\"inFlight\": 1, \"queueDelay\": 1}; load.queueDelay: unknown (expected: inFlight, queue",
      })
  void malformedLoadIsRefusedAndChargesNothing(String load, String problem) {
    try (TestServer served = TestServer.with(RULES)) {
      HttpResponse<String> refused = served.post("/v1/decide", body("GET", "/a", load));
      assertThat(refused.statusCode()).isEqualTo(400);
      assertThat(new JsonObject(refused.body()).getString("detail")).startsWith(problem);
      String batch =
          "{\"requests\": ["
              + body("GET", "/a", "{\"inFlight\": 1}")
              + ", "
              + body("GET", "/a", load)
              + "]}";
      assertThat(served.post("/v1/decide", batch).statusCode()).isEqualTo(400);
      assertThat(served.decide("{\"values\": {}}").getLong("remaining")).isEqualTo(99);
      assertThat(served.admin("GET", "/metrics", "").body())
          .contains("weir_shedding_requests_total{outcome=\"admitted\",priority=\"2\"} 0.0");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"peek", "refund", "charge"})
  void loadIsTakenWithTakeOnly(String operation) {
    try (TestServer served = TestServer.with(RULES)) {
      HttpResponse<String> refused =
          served.post(
              "/v1/decide",
              "{\"operation\": \""
                  + operation
                  + "\", \"values\": {}, \"load\": {\"inFlight\": 1}}");
      assertThat(refused.statusCode()).isEqualTo(400);
      assertThat(new JsonObject(refused.body()).getString("detail"))
          .isEqualTo("load: beside " + operation + " (expected: only with take)");
    }
  }

  @Test
  void loadIsRefusedWhereNothingIsShed() {
    try (TestServer served = TestServer.with("rules: [{name: all, limit: 100/hour}]")) {
      HttpResponse<String> refused =
          served.post("/v1/decide", body("GET", "/a", "{\"inFlight\": 1}"));
      assertThat(refused.statusCode()).isEqualTo(400);
      assertThat(new JsonObject(refused.body()).getString("detail"))
          .isEqualTo(
              "load: given (expected: a rules file with shedding, which these rules have not)");
      assertThat(served.decide("{\"values\": {}}").getLong("remaining")).isEqualTo(99);
    }
  }

  @Test
  void administrationRefusesALoad() {
    try (TestServer served = TestServer.with(RULES)) {
      for (String path : new String[] {"/explain", "/reset"}) {
        assertThat(served.admin("POST", path, body("GET", "/a", "{\"inFlight\": 1}")).statusCode())
            .as(path)
            .isEqualTo(400);
      }
    }
  }
}
