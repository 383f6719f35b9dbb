package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.StoreFailure.Effect;
import dev.weir.server.settings.ServerSettings;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Answers to clients and operators while the store does not answer. */
class StoreFailsTest {
  private static final String RULES =
      """
      rules:
        - {name: open, match: {path: /open}, limit: 2/hour, when-store-fails: allow}
        - {name: shut, match: {path: /shut}, limit: 2/hour, when-store-fails: deny}
        - {name: here, match: {path: /here}, limit: 2/hour, when-store-fails: local}
        - {name: slow, match: {path: /slow}, concurrent: 1, when-store-fails: local}
        - {name: unlucky, match: {path: /unlucky}, limit: 13/hour, when-store-fails: deny}
      """;

  private final FaultyStore store = new FaultyStore();
  private final TestServer served = TestServer.with(RULES, ServerSettings.DEFAULT, store);

  @AfterEach
  void close() {
    served.close();
  }

  @Test
  void asynchronousStoreWorksLikeAnyOther() {
    assertThat(served.check("/shut").statusCode()).isEqualTo(200);
    assertThat(served.check("/shut").statusCode()).isEqualTo(200);
    assertThat(served.check("/shut").statusCode()).isEqualTo(429);
  }

  @Test
  void eachRuleAppliesItsFailureMode() {
    store.gone = true;
    for (int i = 0; i < 5; i++) {
      assertThat(served.check("/open").statusCode()).isEqualTo(200);
      assertThat(served.check("/shut").statusCode()).isEqualTo(503);
      assertThat(served.check("/here").statusCode()).isEqualTo(i < 2 ? 200 : 429);
    }
    store.gone = false;
    awaitAnswers(true);
    assertThat(served.check("/shut").statusCode()).isEqualTo(200);
    assertThat(served.check("/here").statusCode())
        .as("grants of the store are mirrored")
        .isEqualTo(429);
    assertThat(metrics()).contains("weir_fallback_settled_permits_total 2.0");
  }

  @Test
  void resetsAndRefundsAreMirroredToTheFallback() {
    String here = TestServer.values("/here");
    assertThat(served.check("/here").statusCode()).isEqualTo(200);
    assertThat(served.check("/here").statusCode()).isEqualTo(200);
    served.decide(new JsonObject(here).put("operation", "refund").encode());
    store.gone = true;
    assertThat(served.check("/here").statusCode()).as("given back").isEqualTo(200);
    assertThat(served.check("/here").statusCode()).isEqualTo(429);
    store.gone = false;
    awaitAnswers(true);
    assertThat(served.admin("POST", "/reset", shared("/here")).statusCode()).isEqualTo(200);
    store.gone = true;
    assertThat(served.check("/here").statusCode()).as("begun anew").isEqualTo(200);
    assertThat(served.check("/here").statusCode()).isEqualTo(200);
    assertThat(served.check("/here").statusCode()).isEqualTo(429);
  }

  @Test
  void degradedDecisionsAreMarked() {
    assertThat(CheckTest.header(served.check("/here"), "Weir-Degraded")).isEmpty();
    store.gone = true;
    assertThat(CheckTest.header(served.check("/open"), "Weir-Degraded")).isEqualTo("allow");
    assertThat(CheckTest.header(served.check("/here"), "Weir-Degraded")).isEqualTo("local");
    assertThat(CheckTest.header(served.check("/here"), "Weir-Degraded")).isEqualTo("local");
    assertThat(served.decide(TestServer.values("/here")).getString("degraded")).isEqualTo("local");
    assertThat(served.decide(TestServer.values("/open")).getString("degraded")).isEqualTo("allow");
  }

  @Test
  void circuitBreakerOpensForAFailingStore() {
    store.gone = true;
    for (int i = 0; i < 20; i++) {
      served.check("/shut");
    }
    assertThat(ready().getJsonObject("store").getString("breaker")).isNotEqualTo("closed");
    assertThat(metrics()).contains("weir_store_breaker_open 1.0");
    store.gone = false;
    awaitAnswers(true);
    assertThat(ready().getJsonObject("store").getString("breaker")).isEqualTo("closed");
    assertThat(served.check("/shut").statusCode()).isEqualTo(200);
  }

  private void awaitAnswers(boolean expected) {
    long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (ready().getJsonObject("store").getBoolean("answers") != expected) {
      assertThat(System.nanoTime()).as("time").isLessThan(end);
    }
  }

  @Test
  void storeFailureIsAProblemOfItsOwnTypeAndNeverADenial() {
    store.gone = true;
    for (Effect effect : Effect.values()) {
      store.effect = effect;
      HttpResponse<String> response = served.check("/shut");
      isUnavailable(response, "/v1/check", "get");
      assertThat(CheckTest.header(response, "Weir-Degraded")).isEqualTo("deny");
      JsonObject problem = new JsonObject(response.body());
      assertThat(problem.getString("effect")).isEqualTo(effect == Effect.NONE ? "none" : "unknown");
      assertThat(problem.getString("detail"))
          .isEqualTo(
              effect == Effect.NONE
                  ? "the store did not answer; nothing was counted"
                  : "the store did not answer; whether anything was counted is unknown");
    }
  }

  @Test
  void gatewayThatOnlyHandles403Gets403() {
    store.gone = true;
    HttpResponse<String> response = checkWithDenialsAs403("/shut");
    assertThat(response.statusCode()).isEqualTo(403);
    assertThat(CheckTest.header(response, "Weir-Status")).isEqualTo("503");
    assertThat(CheckTest.header(response, "Weir-Degraded")).isEqualTo("deny");
    assertThat(new JsonObject(response.body()).getString("type"))
        .isEqualTo("urn:weir:problem:store-unavailable");
    OpenApiDocument.conforms(served, response, "/v1/check", "get");
  }

  @Test
  void onlyDeniedRequestsHaveAStatusForTheClient() {
    for (int i = 0; i < 2; i++) {
      HttpResponse<String> passed = checkWithDenialsAs403("/shut");
      assertThat(passed.statusCode()).isEqualTo(200);
      assertThat(passed.headers().firstValue("Weir-Status")).isEmpty();
    }
    HttpResponse<String> denied = checkWithDenialsAs403("/shut");
    assertThat(denied.statusCode()).isEqualTo(403);
    assertThat(CheckTest.header(denied, "Weir-Status")).isEqualTo("429");
  }

  private HttpResponse<String> checkWithDenialsAs403(String path) {
    return served.get("/v1/check?deny=403", TestServer.forwardedHeaders(path));
  }

  @Test
  void decideAndAdminEndpointsReportTheFailure() {
    String permit = served.decide(TestServer.values("/slow")).getString("permit");
    store.gone = true;
    HttpResponse<String> denied = served.post("/v1/decide", TestServer.values("/shut"));
    isUnavailable(denied, "/v1/decide", "post");
    assertThat(CheckTest.header(denied, "Weir-Degraded")).isEqualTo("deny");
    HttpResponse<String> shut =
        served.post("/v1/decide", "{\"operation\": \"peek\", \"values\": {\"path\": \"/shut\"}}");
    isUnavailable(shut, "/v1/decide", "post");
    assertThat(new JsonObject(shut.body()).getString("effect")).isEqualTo("none");
    for (String operation : List.of("refund", "charge")) {
      String body = "{\"operation\": \"" + operation + "\", \"values\": {\"path\": \"/open\"}}";
      HttpResponse<String> unknown = served.post("/v1/decide", body);
      isUnavailable(unknown, "/v1/decide", "post");
      assertThat(CheckTest.header(unknown, "Weir-Degraded"))
          .as("no failure mode decided")
          .isEmpty();
    }
    String release = "{\"permit\": \"" + permit + "\"}";
    isUnavailable(served.post("/v1/release", release), "/v1/release", "post");
    isUnavailable(served.admin("POST", "/reset", shared("/open")), "/reset", "post");
  }

  /** A query about a counter that all callers share. */
  private static String shared(String path) {
    return new JsonObject(TestServer.values(path)).put("shared", true).encode();
  }

  private void isUnavailable(HttpResponse<String> response, String path, String method) {
    assertThat(response.statusCode()).as(path).isEqualTo(503);
    assertThat(CheckTest.header(response, "Content-Type")).isEqualTo("application/problem+json");
    assertThat(CheckTest.header(response, "Retry-After")).isEqualTo("1");
    assertThat(new JsonObject(response.body()).getString("type"))
        .isEqualTo("urn:weir:problem:store-unavailable");
    assertThat(response.body()).doesNotContain("db7.internal");
    OpenApiDocument.conforms(served, response, path, method);
  }

  @Test
  void failedRequestOfABatchDoesNotAffectTheOthers() {
    String body =
        "{\"requests\": [%s, %s, %s]}"
            .formatted(
                TestServer.values("/open"),
                TestServer.values("/unlucky"),
                TestServer.values("/shut"));
    HttpResponse<String> response = served.post("/v1/decide", body);
    assertThat(response.statusCode()).isEqualTo(200);
    OpenApiDocument.conforms(served, response, "/v1/decide", "post");
    JsonArray decisions = new JsonObject(response.body()).getJsonArray("decisions");
    assertThat(decisions.getJsonObject(0).getBoolean("allowed")).isTrue();
    assertThat(decisions.getJsonObject(1).fieldNames()).containsExactly("error");
    JsonObject error = decisions.getJsonObject(1).getJsonObject("error");
    assertThat(error.getInteger("status")).isEqualTo(503);
    assertThat(error.getString("degraded")).isEqualTo("deny");
    assertThat(decisions.getJsonObject(2).getString("rule")).isEqualTo("shut");
    assertThat(decisions.getJsonObject(2).getLong("remaining")).isEqualTo(1);
  }

  @Test
  void locallyHeldPermitIsReleasedLocally() {
    store.gone = true;
    String permit = served.decide(TestServer.values("/slow")).getString("permit");
    assertThat(served.decide(TestServer.values("/slow")).getBoolean("allowed")).isFalse();
    String release = "{\"permit\": \"" + permit + "\"}";
    assertThat(served.post("/v1/release", release).statusCode()).isEqualTo(503);
    assertThat(served.decide(TestServer.values("/slow")).getBoolean("allowed")).isTrue();
  }

  @Test
  void serverStaysReadyAndReportsTheOutage() {
    assertThat(ready().getJsonObject("store").getBoolean("answers")).isTrue();
    store.gone = true;
    awaitAnswers(false);
    assertThat(ready().getBoolean("ready")).isTrue();
    JsonObject status = ready().getJsonObject("store");
    assertThat(status.getString("kind")).isEqualTo("elsewhere");
    assertThat(status.getInteger("servers")).isEqualTo(1);
    assertThat(status.getInteger("pendingKeys")).isZero();
    assertThat(metrics()).contains("weir_store_up{kind=\"elsewhere\"} 0.0");
    store.gone = false;
    awaitAnswers(true);
    assertThat(metrics()).contains("weir_store_up{kind=\"elsewhere\"} 1.0");
  }

  @Test
  void metricsCountAnswersAndFailures() {
    served.check("/open");
    served.check("/open");
    store.gone = true;
    served.check("/open");
    store.effect = Effect.UNKNOWN;
    served.check("/shut");
    served.check("/here");
    // A failure may be counted a moment after its request was answered.
    for (int i = 0; i < 1_000 && !metrics().contains("{effect=\"unknown\"} 2.0"); i++) {
      Thread.onSpinWait();
    }
    assertThat(metrics())
        .contains("weir_store_answers_total 2.0")
        .contains("weir_store_failures_total{effect=\"none\"} 1.0")
        .contains("weir_store_failures_total{effect=\"unknown\"} 2.0")
        .contains("weir_store_calls_total 7.0")
        .contains("weir_decisions_total{outcome=\"uncounted\",rule=\"open\"} 1.0")
        .contains("weir_decisions_total{outcome=\"unanswered\",rule=\"shut\"} 1.0")
        .contains("weir_store_keys 1.0");
  }

  private JsonObject ready() {
    HttpResponse<String> response = served.admin("GET", "/readyz", "");
    assertThat(response.statusCode()).isEqualTo(200);
    OpenApiDocument.conforms(served, response, "/readyz", "get");
    return new JsonObject(response.body());
  }

  private String metrics() {
    return served.admin("GET", "/metrics", "").body();
  }
}
