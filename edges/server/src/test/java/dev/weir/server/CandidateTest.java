package dev.weir.server;

import static dev.weir.server.RlsClient.about;
import static dev.weir.server.RlsClient.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.memory.MemoryStore;
import dev.weir.server.settings.ServerSettings;
import dev.weir.testkit.time.ManualTicker;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What operators see of candidates: metrics, explanations, rules. */
class CandidateTest {
  private static final String RULES =
      """
      identity: {key: header X-Key}
      rules:
        - name: each
          match: {path: /}
          per: key
          limit: 8/day
          algorithm: fixed-window
          candidate: 3/day
        - name: half
          match: {path: /half}
          per: key
          limit: 8/day
          algorithm: fixed-window
          candidate: {limit: [3/day, 50/week], rollout: 50%}
        - {name: plain, match: {path: /plain}, limit: 8/day}
        - {name: rls, match: {entry: {user: "*"}}, per: entry user, limit: 2/day, candidate: 1/day}
        - {name: tight, match: {entry: {tight: "*"}}, limit: 1/day}
      lint-ignore: forgeable-key
      """;

  private final MemoryStore store =
      new MemoryStore(1_000, ManualTicker.at(Duration.ofDays(20_000)));
  private final TestServer served = TestServer.with(RULES, ServerSettings.DEFAULT, store);

  @AfterEach
  void stop() {
    served.close();
  }

  private void check(String path, String key, int times) {
    for (int i = 0; i < times; i++) {
      served.get("/v1/check" + path, "X-Key", key);
    }
  }

  private static double count(TestServer served, String rule, String agreement) {
    return new PrometheusText(served.admin("GET", "/metrics", "").body())
        .value("weir_candidate_decisions_total", "rule", rule, "agreement", agreement);
  }

  private JsonObject explained(String path, String key, String rule) {
    JsonObject values = new JsonObject().put("path", path).put("header x-key", key);
    String body = new JsonObject().put("values", values).encode();
    HttpResponse<String> response = served.admin("POST", "/explain", body);
    OpenApiDocument.conforms(served, response, "/explain", "post");
    return new JsonObject(response.body())
        .getJsonArray("rules").stream()
            .map(JsonObject.class::cast)
            .filter(one -> one.getString("rule").equals(rule))
            .findFirst()
            .orElseThrow();
  }

  @Test
  void metricsSayHowOftenBothAgree() {
    check("/", "ann", 10);
    assertThat(count(served, "each", "both-allow")).isEqualTo(3);
    assertThat(count(served, "each", "candidate-denies")).isEqualTo(5);
    assertThat(count(served, "each", "both-deny")).isEqualTo(2);
    assertThat(count(served, "each", "candidate-allows")).isZero();
    check("/plain", "ann", 3);
    assertThat(served.admin("GET", "/metrics", "").body())
        .doesNotContain("weir_candidate_decisions_total{rule=\"plain\"");
  }

  @Test
  void explainShowsTheCountersOfTheCandidateAndSpendsNothing() {
    check("/", "ann", 3);
    for (int i = 0; i < 2; i++) {
      JsonObject rule = explained("/", "ann", "each");
      JsonObject candidate = rule.getJsonObject("candidate");
      assertThat(candidate.getBoolean("inForce")).isFalse();
      JsonObject other = candidate.getJsonObject("other");
      assertThat(other.getBoolean("allowed")).isFalse();
      JsonObject counter = other.getJsonArray("counters").getJsonObject(0);
      assertThat(counter.getInteger("remaining")).isZero();
      assertThat(counter.getJsonObject("limit").getInteger("permits")).isEqualTo(3);
      assertThat(rule.getJsonArray("counters").getJsonObject(0).getInteger("remaining"))
          .isEqualTo(5);
    }
    assertThat(explained("/plain", "ann", "plain").containsKey("candidate")).isFalse();
  }

  @Test
  void explainSaysWhichOfBothIsInForceForTheCaller() {
    List<String> inForce = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      JsonObject rule = explained("/half", "k" + i, "half");
      boolean swapped = rule.getJsonObject("candidate").getBoolean("inForce");
      int limits = rule.getJsonArray("counters").size();
      assertThat(limits).isEqualTo(swapped ? 2 : 1);
      if (swapped) {
        inForce.add("k" + i);
      }
    }
    assertThat(inForce).hasSizeBetween(5, 35);
    String caller = inForce.get(0);
    check("/half", caller, 3);
    assertThat(served.get("/v1/check/half", "X-Key", caller).statusCode()).isEqualTo(429);
    assertThat(count(served, "half", "candidate-denies")).isEqualTo(1);
  }

  @Test
  void rulesPageShowsCandidates() {
    HttpResponse<String> response = served.admin("GET", "/rules", "");
    OpenApiDocument.conforms(served, response, "/rules", "get");
    var rules = new JsonObject(response.body()).getJsonArray("rules");
    JsonObject half = rules.getJsonObject(1).getJsonObject("candidate");
    assertThat(half.getInteger("rolloutPercent")).isEqualTo(50);
    assertThat(half.getJsonObject("allowance").getJsonArray("limits")).hasSize(2);
    assertThat(rules.getJsonObject(2).containsKey("candidate")).isFalse();
  }

  @Test
  void resetResetsTheCandidateToo() {
    check("/", "ann", 5);
    String body =
        new JsonObject()
            .put("values", new JsonObject().put("path", "/").put("header x-key", "ann"))
            .encode();
    JsonObject reset = new JsonObject(served.admin("POST", "/reset", body).body());
    assertThat(reset.getInteger("reset")).isEqualTo(2);
    JsonObject other =
        explained("/", "ann", "each").getJsonObject("candidate").getJsonObject("other");
    assertThat(other.getJsonArray("counters").getJsonObject(0).getInteger("remaining"))
        .isEqualTo(3);
  }

  @Test
  void requestsFromEnvoyAreJudgedUnlessAnotherRuleDenies() {
    try (RlsClient client = new RlsClient(served.server.grpcPort())) {
      for (int i = 0; i < 3; i++) {
        client.ask(request(about("user", "ann")));
      }
      assertThat(count(served, "rls", "both-allow")).isEqualTo(1);
      assertThat(count(served, "rls", "candidate-denies")).isEqualTo(1);
      assertThat(count(served, "rls", "both-deny")).isEqualTo(1);
      client.ask(request(about("tight", "x")));
      client.ask(request(about("tight", "x", "user", "bob")));
      client.ask(request(about("tight", "x"), about("user", "cid")));
      assertThat(count(served, "rls", "both-allow")).isEqualTo(1);
    }
  }
}
