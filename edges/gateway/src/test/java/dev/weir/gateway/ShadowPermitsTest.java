package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.redis.Await;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A concurrency limit on trial counts what is in flight, like the rule that it may become. */
class ShadowPermitsTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final String TRIAL = "rules: [{name: trial, concurrent: 1, shadow: true}]\n";

  private static String denied(int count) {
    return "weir_decisions_total{outcome=\"shadow-denied\",rule=\"trial\"} " + count + ".0\n";
  }

  @Test
  void areFreeAfterTheRequest() throws Exception {
    try (HoldingUpstream upstream = new HoldingUpstream();
        TestGateway gateway = TestGateway.to(TRIAL, upstream.url())) {
      for (int i = 0; i < 5; i++) {
        var held = upstream.offer(gateway, gateway.request("/")).held().orElseThrow();
        assertThat(held.finish().statusCode()).isEqualTo(200);
        gateway.awaitInFlight(0);
      }
      assertThat(gateway.metrics()).contains(denied(0));
      var first = upstream.offer(gateway, gateway.request("/")).held().orElseThrow();
      var second = upstream.offer(gateway, gateway.request("/")).held().orElseThrow();
      Await.until("the second is one too many", LIMIT, () -> gateway.metrics().contains(denied(1)));
      second.finish();
      first.finish();
    }
  }
}
