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
  void takePeekRefundAndSettle() {
    try (Served served = Served.with(RULES)) {
      assertThat(remaining(served, "take", 30)).isEqualTo(70);
      assertThat(remaining(served, "peek", 30)).isEqualTo(70);
      assertThat(remaining(served, "refund", 10)).isEqualTo(80);
      assertThat(remaining(served, "settle", 120)).isZero();
      JsonObject denied = served.decide("{\"cost\": 1, " + ACME + "}");
      assertThat(denied.getBoolean("allowed")).isFalse();
      assertThat(denied.getString("rule")).isEqualTo("tokens");
      assertThat(denied.getLong("retryAfterMillis")).isBetween(1_400_000L, 1_500_000L);
      assertThat(served.decide("{\"cost\": 101, " + ACME + "}").getString("verdict"))
          .isEqualTo("never");
    }
  }

  private static long remaining(Served served, String operation, int cost) {
    return served
        .decide("{\"operation\": \"" + operation + "\", \"cost\": " + cost + ", " + ACME + "}")
        .getLong("remaining");
  }

  @Test
  void aBatchIsDecidedInOrder() {
    try (Served served = Served.with(RULES)) {
      String one = "{\"cost\": 60, " + ACME + "}";
      JsonArray decisions =
          served.decide("{\"requests\": [" + one + "," + one + "]}").getJsonArray("decisions");
      assertThat(decisions.getJsonObject(0).getBoolean("allowed")).isTrue();
      assertThat(decisions.getJsonObject(1).getBoolean("allowed")).isFalse();
    }
  }

  @Test
  void aBatchWithOneThatMakesNoSenseCostsNothing() {
    try (Served served = Served.with(RULES)) {
      String one = "{\"cost\": 60, " + ACME + "}";
      String bad = "{\"values\": {\"ip\": \"x\"}}";
      assertThat(
              served.post("/v1/decide", "{\"requests\": [" + one + "," + bad + "]}").statusCode())
          .isEqualTo(400);
      assertThat(remaining(served, "peek", 1)).isEqualTo(100);
    }
  }

  @Test
  void whatIsHeldIsReleasedOnceByItsPermit() {
    try (Served served = Served.with(RULES)) {
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
  void aPermitOfAnEarlierVersionOrOfNoneIsRefused() {
    ByteBuffer earlier = ByteBuffer.allocate(1 + 5 * Long.BYTES).put((byte) 1).putLong(7);
    earlier.putLong(1).putLong(2).putLong(2).putLong(60_000_000);
    try (Served served = Served.with(RULES)) {
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
            .isEqualTo("permit: not one (expected: the permit of a decision)");
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
        "{\"values\": {}, \"x\": 1} | field: x (expected: operation, values, cost)",
        "{\"values\": {\"a\": 1}} | values.a: 1 (expected: a text)",
        "{\"values\": {\"ip\": \"x\"}} | values.ip: x (expected: an IPv4 or IPv6 address)",
        "{\"values\": {}, \"cost\": -1} | cost: -1 (expected: a whole number between 0 and"
            + " 2251799813685248)",
        "{\"values\": {}, \"cost\": 1.5} | cost: 1.5 (expected: a whole number between 0 and"
            + " 2251799813685248)",
        "{\"values\": {}, \"operation\": \"give\"} | operation: give (expected: take, peek, refund or"
            + " settle)",
        "{\"requests\": []} | requests: 0 (expected: between 1 and 100)",
        "{\"requests\": 7} | requests: 7 (expected: a list, and nothing beside it)",
      })
  void whatMakesNoSenseIsRefusedWithTheReason(String body, String detail) {
    try (Served served = Served.with(RULES)) {
      HttpResponse<String> response = served.post("/v1/decide", body);
      assertThat(response.statusCode()).isEqualTo(400);
      assertThat(new JsonObject(response.body()).getString("detail")).isEqualTo(detail);
    }
  }

  @Test
  void aBodyThatIsTooLargeAWrongMethodAndAWrongPathAreRefused() {
    try (Served served = Served.with(RULES)) {
      assertThat(served.post("/v1/decide", " ".repeat(2 << 20)).statusCode()).isEqualTo(413);
      assertThat(served.get("/v1/decide").statusCode()).isEqualTo(405);
      assertThat(served.get("/v2").statusCode()).isEqualTo(404);
      assertThat(served.post("/v1/release", "{\"permit\": \"AAAA\"}").statusCode()).isEqualTo(400);
    }
  }
}
