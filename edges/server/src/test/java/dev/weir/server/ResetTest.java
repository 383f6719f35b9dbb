package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.memory.MemoryStore;
import dev.weir.server.audit.AuditLog;
import dev.weir.server.settings.ServerSettings;
import dev.weir.testkit.time.ManualTicker;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** {@code /reset} is about one caller. */
class ResetTest {
  private static final String RULES =
      """
      identity: {key: header X-Key}
      rules:
        - {name: site, limit: 100/hour, algorithm: fixed-window}
        - {name: each-path, per: path, limit: 50/hour, algorithm: fixed-window}
        - {name: each-key, per: key, limit: [3/hour, 30/day], algorithm: fixed-window}
        - {name: key-and-path, per: [key, path], limit: 20/hour, algorithm: fixed-window}
        - {name: trial, per: key, limit: 2/hour, algorithm: fixed-window, shadow: true}
      """;
  private static final String ACME = "sk-live-acme-0123456789";

  /** A store on a fixed clock: no window ends during a test. */
  private static TestServer served() {
    MemoryStore store = new MemoryStore(1_000, ManualTicker.at(Duration.ofDays(20_000)));
    return TestServer.with(RULES, ServerSettings.DEFAULT, store);
  }

  private static JsonObject asked(String key) {
    JsonObject values = new JsonObject().put("path", "/");
    return new JsonObject().put("values", key.isEmpty() ? values : values.put("header x-key", key));
  }

  private static JsonObject reset(TestServer served, JsonObject body) {
    HttpResponse<String> response = served.admin("POST", "/reset", body.encode());
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    return new JsonObject(response.body());
  }

  private static JsonObject line(LogLines log, int index) {
    return new JsonObject(log.lines.get(index).replaceFirst("INFO ", ""));
  }

  private static void check(TestServer served, int times, String... headers) {
    for (int i = 0; i < times; i++) {
      served.get("/v1/check/", headers);
    }
  }

  private static long remaining(TestServer served, String policy, String key) {
    JsonArray claims =
        served.decide(asked(key).put("operation", "peek").encode()).getJsonArray("claims");
    return IntStream.range(0, claims.size())
        .mapToObj(claims::getJsonObject)
        .filter(claim -> claim.getString("policy").equals(policy))
        .findFirst()
        .orElseThrow()
        .getLong("remaining");
  }

  private static List<String> policies(JsonObject answer, boolean reset) {
    JsonArray counters = answer.getJsonArray("counters");
    return IntStream.range(0, counters.size())
        .mapToObj(counters::getJsonObject)
        .filter(counter -> counter.getBoolean("reset") == reset)
        .map(counter -> counter.getString("policy"))
        .toList();
  }

  @Test
  void sharedCountersAreKept() {
    try (TestServer served = served();
        LogLines log = new LogLines(AuditLog.LOGGER)) {
      check(served, 3, "X-Key", ACME);
      check(served, 2, "X-Key", "globex");
      JsonObject answer = reset(served, asked(ACME));

      assertThat(answer.getInteger("reset")).isEqualTo(4);
      assertThat(answer.getInteger("left")).isEqualTo(2);
      assertThat(policies(answer, true))
          .containsExactly("each-key-3600s", "each-key-86400s", "key-and-path", "trial");
      assertThat(policies(answer, false)).containsExactly("site", "each-path");
      assertThat(answer.getJsonArray("counters").getJsonObject(0).getString("shared"))
          .isEqualTo("the rule counts all callers together");
      assertThat(answer.getJsonArray("counters").getJsonObject(1).getString("shared"))
          .isEqualTo("the rule counts all callers with the same path");

      assertThat(remaining(served, "each-key-3600s", ACME)).isEqualTo(3);
      assertThat(remaining(served, "key-and-path", ACME)).isEqualTo(20);
      assertThat(remaining(served, "site", ACME)).isEqualTo(95);
      assertThat(remaining(served, "each-path", ACME)).isEqualTo(45);
      assertThat(remaining(served, "each-key-3600s", "globex")).isEqualTo(1);

      assertThat(log.lines).hasSize(1);
      JsonObject line = line(log, 0);
      assertThat(line.getString("event")).isEqualTo("reset");
      assertThat(line.getString("who")).isEqualTo("unnamed");
      assertThat(line.getString("role")).isEqualTo("operator");
      assertThat(line.getString("address")).isEqualTo("127.0.0.1");
      JsonObject details = line.getJsonObject("details");
      assertThat(details.getJsonArray("reset"))
          .containsExactly(
              "each-key (header x-key sk-l***)",
              "key-and-path (header x-key sk-l***, path /)",
              "trial (header x-key sk-l***)");
      assertThat(details.getJsonArray("leftBecauseShared"))
          .containsExactly("site", "each-path (path /)");
    }
  }

  @Test
  void sharedCountersAreResetOnRequest() {
    try (TestServer served = served()) {
      check(served, 3, "X-Key", ACME);
      JsonObject answer = reset(served, asked(ACME).put("shared", true));
      assertThat(answer.getInteger("reset")).isEqualTo(6);
      assertThat(answer.getInteger("left")).isZero();
      assertThat(answer.getJsonArray("counters").getJsonObject(0).getString("shared"))
          .isEqualTo("the rule counts all callers together");
      assertThat(remaining(served, "site", ACME)).isEqualTo(100);
      assertThat(remaining(served, "each-path", ACME)).isEqualTo(50);
    }
  }

  @Test
  void counterOfCallersWithoutIdentityIsShared() {
    try (TestServer served = served()) {
      check(served, 3);
      JsonObject answer = reset(served, asked(""));
      assertThat(answer.getInteger("reset")).isZero();
      assertThat(answer.getJsonArray("counters").getJsonObject(2).getString("shared"))
          .isEqualTo("the rule counts all requests without key");
      assertThat(remaining(served, "each-key-3600s", "")).isZero();
    }
  }

  @Test
  void shadowRuleIsResetForTheCaller() {
    try (TestServer served = served()) {
      check(served, 2, "X-Key", ACME);
      reset(served, asked(ACME));
      check(served, 1, "X-Key", ACME);
      PrometheusText metrics = new PrometheusText(served.admin("GET", "/metrics", "").body());
      assertThat(metrics.value("weir_decisions_total", "rule", "trial", "outcome", "shadow-denied"))
          .isZero();
    }
  }

  @Test
  void nonBooleanFlagIsRejected() {
    try (TestServer served = served()) {
      String body = asked(ACME).put("shared", "yes").encode();
      HttpResponse<String> response = served.admin("POST", "/reset", body);
      assertThat(response.statusCode()).isEqualTo(400);
      assertThat(new JsonObject(response.body()).getString("detail"))
          .isEqualTo("shared: yes (expected: true or false)");
    }
  }

  @Test
  void callerCannotInjectLogLines() {
    try (TestServer served =
            TestServer.with("rules: [{name: t, per: entry tenant, limit: 9/hour}]");
        LogLines log = new LogLines(AuditLog.LOGGER)) {
      JsonObject values = new JsonObject().put("entry tenant", "a\nINFO all is well\u2028");
      reset(served, new JsonObject().put("values", values));
      assertThat(log.lines).hasSize(1);
      assertThat(log.lines.get(0)).matches("INFO [ -~]+");
      assertThat(line(log, 0).getJsonObject("details").getJsonArray("reset"))
          .containsExactly("t (entry tenant a\nINFO all is well\u2028)");
    }
  }

  @Test
  void resetWithoutStoreResponseIsLoggedAsFailed() {
    FaultyStore store = new FaultyStore();
    store.gone = true;
    try (TestServer served = TestServer.with(RULES, ServerSettings.DEFAULT, store);
        LogLines log = new LogLines(AuditLog.LOGGER)) {
      assertThat(served.admin("POST", "/reset", asked(ACME).encode()).statusCode()).isEqualTo(503);
      log.await(2);
      assertThat(line(log, 0).getString("event")).isEqualTo("reset");
      JsonObject failed = line(log, 1);
      assertThat(failed.getString("event")).isEqualTo("reset-failed");
      assertThat(failed.getJsonObject("details").getString("cause")).isNotEmpty();
      assertThat(failed.getJsonObject("details").getJsonArray("reset").getString(0))
          .startsWith("each-key");
    }
  }
}
