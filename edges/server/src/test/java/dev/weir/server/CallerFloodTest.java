package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A flood of callers that come once each does not hide the one who comes often. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class CallerFloodTest {
  private static final int BATCHES = 2_000;
  private static final int BATCH = 100;
  private static final int REQUESTS = BATCHES * BATCH;

  /** The bound of the error: one of so many counters of a list. */
  private static final int COUNTERS = 1_024;

  private static final String HEAVY = "heavy";

  /** A request for two permits never passes. */
  private static final String RULES =
      """
      identity: {key: header X-Key}
      lint-ignore: forgeable-key
      rules:
        - {name: per-key, per: key, limit: 1/hour}
      """;

  private static JsonObject values(String key) {
    return new JsonObject().put("path", "/").put("header x-key", key);
  }

  private static void flood(TestServer served) {
    for (int batch = 0; batch < BATCHES; batch++) {
      JsonArray requests = new JsonArray();
      for (int i = 0; i < BATCH; i++) {
        String key = i == 0 ? HEAVY : "caller-" + (batch * BATCH + i);
        requests.add(new JsonObject().put("cost", 2).put("values", values(key)));
      }
      served.decide(new JsonObject().put("requests", requests).encode());
    }
  }

  private static String hash(TestServer served, String key) {
    String question = new JsonObject().put("values", values(key)).encode();
    JsonObject answer = new JsonObject(served.admin("POST", "/explain", question).body());
    return answer.getJsonArray("rules").getJsonObject(0).getString("callerHash");
  }

  @Test
  void heavyCallerIsFoundAmongTwoHundredThousand() throws Exception {
    try (TestServer served = TestServer.with(RULES)) {
      flood(served);
      String heavy = hash(served, HEAVY);
      try (LiveStream page = new LiveStream(served)) {
        JsonArray shown = page.next("second").getJsonArray("callers");
        assertThat(shown.size()).isLessThanOrEqualTo(20);
        assertThat(shown.getJsonObject(0).getString("caller")).isEqualTo(heavy);
      }

      // Of the hour, so that the whole flood is in it, however long it took.
      String body = served.admin("GET", "/callers?window=hour&limit=1000", "").body();
      JsonArray callers = new JsonObject(body).getJsonArray("callers");
      JsonObject first = callers.getJsonObject(0);
      assertThat(first.getString("caller")).isEqualTo(heavy);
      assertThat(first.getLong("count")).isBetween((long) BATCHES, BATCHES + error(first));
      assertThat(callers.size()).isLessThanOrEqualTo(COUNTERS);
      for (Object one : callers) {
        JsonObject caller = (JsonObject) one;
        assertThat(error(caller)).as(body).isLessThanOrEqualTo(REQUESTS / COUNTERS);
        if (!caller.getString("caller").equals(heavy)) {
          assertThat(caller.getLong("count") - error(caller)).isLessThanOrEqualTo(1);
        }
      }
    }
  }

  private static long error(JsonObject caller) {
    return caller.getLong("error");
  }
}
