package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.redis.Await;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What operators see of an outage from its beginning to its end, in numbers that grow. */
class OutageMetricsTest {
  private static final String RULES =
      """
      rules:
        - {name: open, match: {path: /open}, limit: 900/hour, when-store-fails: allow}
        - {name: shut, match: {path: /shut}, limit: 900/hour, when-store-fails: deny}
        - {name: here, match: {path: /here}, limit: 900/hour, when-store-fails: local}
      """;
  private static final String BATCH = "{\"requests\": [%s, %s]}";

  private final MoodyStore store = new MoodyStore();
  private final Served served = Served.with(RULES, ServerSettings.DEFAULT, store);

  @AfterEach
  void close() {
    served.close();
  }

  private double value(String name, String... labels) {
    return RlsMetered.scrape(served).value(name, labels);
  }

  private double decided(String way) {
    return value("weir_decisions_degraded_total", "way", way);
  }

  private void awaitUp(int up) {
    Await.until(
        "up to be " + up,
        Duration.ofSeconds(60),
        () -> value("weir_store_up", "kind", "elsewhere") == up);
  }

  @Test
  void requestsDecidedWithoutTheStoreAreCountedByTheWayOfTheirRules() {
    served.check("/open");
    store.gone = true;
    for (int i = 0; i < 30; i++) {
      served.check("/open");
    }
    served.check("/shut");
    served.decide(Served.values("/here"));
    served.decide(BATCH.formatted(Served.values("/shut"), Served.values("/open")));
    served.post("/v1/decide", "{\"operation\": \"peek\", \"values\": {\"path\": \"/shut\"}}");
    assertThat(decided("allow")).isEqualTo(31);
    assertThat(decided("deny")).as("a look is denied by nobody").isEqualTo(2);
    assertThat(decided("local")).isEqualTo(1);
  }

  @Test
  void whatTheStoreIsNotAskedIsCountedToo() {
    store.gone = true;
    for (int i = 0; i < 30; i++) {
      served.check("/open");
    }
    double failures = value("weir_store_failures_total", "effect", "none");
    assertThat(failures).as("as many as open the breaker").isBetween(1.0, 10.0);
    assertThat(value("weir_store_not_asked_total")).isEqualTo(30 - failures);
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
