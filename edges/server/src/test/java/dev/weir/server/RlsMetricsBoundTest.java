package dev.weir.server;

import static dev.weir.server.RlsClient.about;
import static dev.weir.server.RlsClient.request;
import static dev.weir.server.RlsMetricsFixture.hits;
import static dev.weir.server.RlsMetricsFixture.named;
import static dev.weir.server.RlsMetricsFixture.scrape;
import static dev.weir.server.RlsMetricsFixture.with;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.settings.MetricsSettings.Names;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever clients send, metrics stay bounded and readable. */
class RlsMetricsBoundTest {
  @Test
  void numberOfSeriesIsBounded() throws Exception {
    with(
        named(Names.WEIR, Names.ENVOY),
        (served, client) -> {
          for (int i = 0; i < 10; i++) {
            RateLimitRequest.Builder request = RateLimitRequest.newBuilder().setDomain("shop");
            for (int j = 0; j < 1_000; j++) {
              request.addDescriptors(about("each", i + "-" + j));
            }
            client.ask(request);
          }
          client.ask(about("each", "x".repeat(100_000)));
          for (int i = 0; i < 300; i++) {
            client.ask(request(about("a", "b")).setDomain("unknown" + i));
          }
          // The values of one rule leave room for the others.
          client.ask(about("ten", "a"));
          HttpResponse<String> response = served.admin("GET", "/metrics", "");
          PrometheusText metrics = new PrometheusText(response.body());
          assertThat(metrics.sum("weir_rls_hits_total")).isEqualTo(10_002);
          assertThat(metrics.count("weir_rls_hits_total")).isEqualTo(6 * 1_002);
          String[] others = {"domain", "other", "rule", "other", "outcome", "within"};
          assertThat(metrics.value("weir_rls_hits_total", others)).isEqualTo(9_001);
          assertThat(hits(metrics, "ten", "within")).isEqualTo(1);
          String total = "ratelimit_service_rate_limit_total_hits";
          assertThat(metrics.count(total)).isEqualTo(1_002);
          assertThat(metrics.value(total, "domain", "other", "key1", "other")).isEqualTo(9_001);
          assertThat(metrics.value("weir_rls_unknown_domains_total")).isEqualTo(300);
          assertThat(metrics.types().keySet().stream().filter(name -> name.endsWith("_not_found")))
              .hasSize(101);
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\"b", "a\\b", "a\nb", "a\r\nb 1", "\u0000", "é→🙂", "} 1", "\\\""})
  void metricsStayReadableWhateverClientsSend(String value) throws Exception {
    with(
        named(Names.WEIR, Names.ENVOY),
        (served, client) -> {
          client.ask(about("each", value));
          String clean = value.replaceAll("\\p{Cntrl}", "_");
          assertThat(hits(scrape(served), "each_" + clean, "within")).isEqualTo(1);
          assertThat(served.admin("GET", "/stats", "").body().lines())
              .allMatch(line -> line.matches("[^:]+: [0-9]+"))
              .contains("ratelimit.service.rate_limit.shop.each_" + clean + ".total_hits: 1");
        });
  }

  @Test
  void valuesWithTheSameEscapedFormShareASeries() throws Exception {
    with(
        named(Names.WEIR, Names.ENVOY),
        (served, client) -> {
          client.ask(about("each", "a\nb"), about("each", "a\rb"), about("each", "a_b"));
          assertThat(hits(scrape(served), "each_a_b", "within")).isEqualTo(3);
        });
  }
}
