package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.settings.ServerSettings;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Rules that count in this process, always or while the store is down. */
class LocalModeTest {
  private static final String RULES =
      """
      rules:
        - {name: flight, match: {path: /flight}, concurrent: 1, mode: local}
        - {name: many, match: {path: /many}, limit: 9/hour, when-store-fails: allow}
        - {name: few, match: {path: /many}, limit: 1/hour, when-store-fails: local}
        - {name: own, match: {path: /own}, limit: 1/hour, mode: local}
        - {name: beside, match: {path: /own}, limit: 9/hour, when-store-fails: allow}
      """;

  private final FaultyStore store = new FaultyStore();
  private final TestServer served = TestServer.with(RULES, ServerSettings.DEFAULT, store);

  @AfterEach
  void close() {
    served.close();
  }

  @Test
  void degradedHeaderNamesModeOfDenyingRuleOrStrictestMode() {
    store.gone = true;
    assertThat(CheckTest.header(served.check("/many"), "Weir-Degraded")).isEqualTo("local");
    HttpResponse<String> denied = served.check("/many");
    assertThat(denied.statusCode()).isEqualTo(429);
    assertThat(CheckTest.header(denied, "Weir-Degraded")).isEqualTo("local");
    assertThat(served.decide(TestServer.values("/many")).getString("degraded")).isEqualTo("local");

    assertThat(CheckTest.header(served.check("/own"), "Weir-Degraded")).isEqualTo("allow");
    denied = served.check("/own");
    assertThat(denied.statusCode()).isEqualTo(429);
    assertThat(CheckTest.header(denied, "Weir-Degraded"))
        .as("this rule never asks the store")
        .isEmpty();
  }

  @Test
  void permitHeldInLocalModeIsReleasedWithoutStore() {
    String permit = served.decide(TestServer.values("/flight")).getString("permit");
    store.gone = true;
    assertThat(served.decide(TestServer.values("/flight")).getBoolean("allowed")).isFalse();
    String release = "{\"permit\": \"" + permit + "\"}";
    for (int i = 0; i < 2; i++) {
      HttpResponse<String> released = served.post("/v1/release", release);
      assertThat(released.statusCode()).isEqualTo(200);
      OpenApiDocument.conforms(served, released, "/v1/release", "post");
    }
    assertThat(served.decide(TestServer.values("/flight")).getBoolean("allowed")).isTrue();
    assertThat(served.decide(TestServer.values("/flight")).getBoolean("allowed")).isFalse();
    assertThat(served.admin("GET", "/metrics", "").body())
        .contains("weir_store_failures_total{effect=\"none\"} 0.0");
  }
}
