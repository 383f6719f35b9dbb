package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.settings.ServerSettings;
import dev.weir.server.warmup.Driver;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WarmUpGatewayTest {
  private static final ServerSettings WARM =
      ServerSettings.DEFAULT.withPorts(0, -1, 0).withWarmUp(Duration.ofMinutes(1));

  /** The rules of the operator take part, a leaky bucket among them, which must not hold it up. */
  @Test
  void servicesBehindTheGatewayDoNotNoticeItsWarmUp() throws IOException {
    String rules =
        """
        rules:
          - {name: one, match: {path: /one}, limit: 1/day}
          - {name: slow, match: {path: /slow}, limit: 1/hour, algorithm: leaky-bucket, queue: 10}
        """;
    try (ScriptedUpstream upstream = ScriptedUpstream.friendly();
        TestGateway gateway = TestGateway.start(rules, WARM, Optional.empty(), upstream.url())) {
      assertThat(gateway.warmUp().map(Driver.Outcome::warm)).contains(true);
      assertThat(upstream.received).isEmpty();
      assertThat(gateway.metrics()).contains("weir_gateway_requests_total{outcome=\"complete\"} 0");
      assertThat(gateway.get("/one").statusCode()).isEqualTo(200);
      assertThat(gateway.get("/one").statusCode()).as("its one request is over").isEqualTo(429);
      assertThat(upstream.received).hasSize(1);
    }
  }
}
