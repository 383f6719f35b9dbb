package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.settings.ServerSettings;
import dev.weir.testkit.redis.Await;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The metrics of an outage, from its beginning to its end. */
class OutageMetricsTest {
  private static final String RULES =
      """
      rules:
        - {name: open, match: {path: /open}, limit: 900/hour, when-store-fails: allow}
        - {name: shut, match: {path: /shut}, limit: 900/hour, when-store-fails: deny}
        - {name: here, match: {path: /here}, limit: 900/hour, when-store-fails: local}
      """;
  private static final String BATCH = "{\"requests\": [%s, %s]}";

  private final FaultyStore store = new FaultyStore();
  private final TestServer served = TestServer.with(RULES, ServerSettings.DEFAULT, store);

  @AfterEach
  void close() {
    served.close();
  }

  private double value(String name, String... labels) {
    return RlsMetricsFixture.scrape(served).value(name, labels);
  }

  private double decided(String mode) {
    return value("weir_decisions_degraded_total", "way", mode);
  }

  private void awaitUp(int up) {
    Await.until(
        "up to be " + up,
        Duration.ofSeconds(60),
        () -> value("weir_store_up", "kind", "elsewhere") == up);
  }

  @Test
  void degradedRequestsAreCountedByFailureMode() {
    served.check("/open");
    store.gone = true;
    for (int i = 0; i < 30; i++) {
      served.check("/open");
    }
    served.check("/shut");
    served.decide(TestServer.values("/here"));
    served.decide(BATCH.formatted(TestServer.values("/shut"), TestServer.values("/open")));
    served.post("/v1/decide", "{\"operation\": \"peek\", \"values\": {\"path\": \"/shut\"}}");
    assertThat(decided("allow")).isEqualTo(31);
    assertThat(decided("deny")).as("a peek is never denied").isEqualTo(2);
    assertThat(decided("local")).isEqualTo(1);
  }

  @Test
  void requestsRejectedByTheBreakerAreCounted() {
    store.gone = true;
    for (int i = 0; i < 30; i++) {
      served.check("/open");
    }
    double failures = value("weir_store_failures_total", "effect", "none");
    assertThat(failures).as("as many as open the breaker").isBetween(1.0, 10.0);
    assertThat(value("weir_store_rejected_total")).isEqualTo(30 - failures);
  }

  @Test
  void eachOutageIsCountedOnce() {
    assertThat(value("weir_store_outages_total")).isZero();
    for (int outage = 1; outage <= 2; outage++) {
      store.gone = true;
      for (int i = 0; i < 30; i++) {
        served.check("/open");
      }
      awaitUp(0);
      assertThat(value("weir_store_outages_total")).isEqualTo(outage);
      store.gone = false;
      awaitUp(1);
    }
    assertThat(value("weir_store_outages_total")).isEqualTo(2);
  }
}
