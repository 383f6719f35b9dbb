package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Decisions are counted by request and rule. */
class DecisionMetricsTest {

  @Test
  void requestCountsOnceForARuleWithTwoLimits() {
    String rules =
        """
        rules:
          - {name: two, limit: [3/day, 100/month], algorithm: fixed-window}
          - {name: roomy, limit: 1000/day}
        """;
    try (TestServer served = TestServer.with(rules)) {
      for (int i = 0; i < 10; i++) {
        served.get("/v1/check/");
      }
      PrometheusText metrics = new PrometheusText(served.admin("GET", "/metrics", "").body());
      assertThat(decisions(metrics, "two", "allowed")).isEqualTo(3);
      assertThat(decisions(metrics, "two", "denied")).isEqualTo(7);
      assertThat(decisions(metrics, "roomy", "allowed")).isEqualTo(3);
      assertThat(decisions(metrics, "roomy", "denied")).isZero();
      assertThat(decisions(metrics, "roomy", "denied-by-other")).isEqualTo(7);
    }
  }

  private static double decisions(PrometheusText metrics, String rule, String outcome) {
    return metrics.value("weir_decisions_total", "rule", rule, "outcome", outcome);
  }
}
