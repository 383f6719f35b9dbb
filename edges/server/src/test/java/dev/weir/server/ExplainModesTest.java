package dev.weir.server;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Store;
import dev.weir.memory.MemoryStore;
import dev.weir.server.settings.ServerSettings;
import dev.weir.shared.fleet.Roster;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** How explain reports the counting modes of rules. */
class ExplainModesTest {
  private static final String RULES =
      """
      lint-ignore: [counted-twice, needs-release, counted-strictly]
      rules:
        - {name: strict, limit: 9000/hour}
        - {name: leased, limit: 9000/hour, mode: leased}
        - {name: auto, limit: 9000/hour, mode: automatic, share: 12.5%}
        - {name: alone, limit: 9000/hour, mode: local, share: 25%}
        - {name: both, limit: 9000/hour, concurrent: 50, mode: leased}
        - {name: small, limit: 30/hour, mode: leased}
        - {name: other, match: {path: /other}, limit: 9000/hour, mode: local}
      """;
  private static final String QUESTION = "{\"values\": {\"path\": \"/\"}}";

  private static Map<String, JsonObject> explain(TestServer served) {
    HttpResponse<String> response = served.admin("POST", "/explain", QUESTION);
    assertThat(response.statusCode()).isEqualTo(200);
    OpenApiDocument.conforms(served, response, "/explain", "post");
    Map<String, JsonObject> rules = new HashMap<>();
    for (Object rule : new JsonObject(response.body()).getJsonArray("rules")) {
      rules.put(((JsonObject) rule).getString("rule"), (JsonObject) rule);
    }
    return rules;
  }

  /** The first counter of a rule; the one with the shortest window. */
  private static JsonObject counter(Map<String, JsonObject> rules, String rule) {
    return requireNonNull(rules.get(rule), rule).getJsonArray("counters").getJsonObject(0);
  }

  private static boolean isLeased(Map<String, JsonObject> rules, String rule) {
    return counter(rules, rule).getBoolean("leased");
  }

  private static TestServer serve(Store store) {
    return TestServer.with(RULES, ServerSettings.DEFAULT, store);
  }

  @Test
  void eachRuleReportsItsModeAndShare() {
    try (TestServer served = serve(new MemoryStore())) {
      Map<String, String> modes = new HashMap<>();
      explain(served)
          .forEach(
              (name, rule) ->
                  modes.put(name, rule.getString("mode") + " " + rule.getString("share")));
      assertThat(modes)
          .isEqualTo(
              Map.of(
                  "strict", "strict null",
                  "leased", "leased 5%",
                  "auto", "automatic 12.5%",
                  "alone", "local 25%",
                  "both", "leased 5%",
                  "small", "leased 5%",
                  "other", "local 100%"));
    }
  }

  @Test
  void limitCountedStrictlyInSpiteOfItsModeIsReported() {
    try (TestServer served = serve(new MemoryStore())) {
      Map<String, JsonObject> rules = explain(served);
      assertThat(counter(rules, "leased").getString("note")).isNull();
      assertThat(counter(rules, "small").getString("note"))
          .isEqualTo("counted strictly: 5% of 30 is less than 2");
      assertThat(counter(rules, "both").getString("note"))
          .isEqualTo(
              "held by /v1/decide until /v1/release; /v1/check leaves it out;"
                  + " counted strictly: a place in flight cannot be leased");
      assertThat(counter(rules, "alone").getJsonObject("limit").getInteger("permits"))
          .as("what this server keeps to")
          .isEqualTo(2_250);
    }
  }

  /** A roster with three other servers. */
  private static final class Four implements Roster {
    @Override
    public CompletionStage<Roll> announce(String server, Duration lasting) {
      return CompletableFuture.completedStage(new Roll(List.of("a", "b", "c", server), "since"));
    }

    @Override
    public CompletionStage<Void> leave(String server) {
      return CompletableFuture.completedStage(null);
    }
  }

  @Test
  void limitTooSmallForTheFleetIsReported() {
    String rules =
        """
        lint-ignore: counted-twice
        rules:
          - {name: enough, limit: 160/hour, mode: leased}
          - {name: scarce, limit: 159/hour, mode: leased}
          - {name: dear, limit: 900/hour, cost: 12, mode: automatic}
          - {name: alone, limit: 40/hour, mode: local}
        """;
    try (TestServer served = TestServer.among(new Four(), rules, new FaultyStore())) {
      Map<String, JsonObject> explained = explain(served);
      assertThat(counter(explained, "enough").getString("note")).isNull();
      assertThat(counter(explained, "scarce").getString("note"))
          .isEqualTo("counted strictly: 5% of 159, among 4 servers, is less than 2 each");
      assertThat(counter(explained, "dear").getString("note"))
          .isEqualTo("counted strictly: 5% of 900, among 4 servers, is less than 12 each");
      assertThat(counter(explained, "alone").getString("note")).isNull();
    }
    try (TestServer served = TestServer.with(rules, ServerSettings.DEFAULT, new FaultyStore())) {
      assertThat(counter(explain(served), "scarce").getString("note")).isNull();
    }
  }

  @Test
  void leasedPermitsAreReported() {
    FaultyStore store = new FaultyStore();
    try (TestServer served = serve(store)) {
      assertThat(isLeased(explain(served), "leased")).isFalse();
      // Requests begin leases, which last a second after the last request.
      boolean leased = false;
      for (int i = 0; i < 5_000 && !leased; i++) {
        assertThat(served.get("/v1/check/").statusCode()).isEqualTo(200);
        leased = isLeased(explain(served), "leased");
      }
      assertThat(leased).isTrue();
      Map<String, JsonObject> after = explain(served);
      for (String never : new String[] {"strict", "alone", "small"}) {
        assertThat(isLeased(after, never)).as(never).isFalse();
      }
    }
  }

  @Test
  void inProcessStoreLeasesNothing() {
    try (TestServer served = serve(new MemoryStore())) {
      for (int i = 0; i < 20; i++) {
        served.get("/v1/check/");
      }
      assertThat(isLeased(explain(served), "leased")).isFalse();
    }
  }
}
