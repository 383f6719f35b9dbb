package dev.weir.server;

import dev.weir.Store;
import dev.weir.memory.MemoryStore;
import dev.weir.server.settings.MetricsSettings;
import dev.weir.server.settings.MetricsSettings.Names;
import dev.weir.server.settings.ServerSettings;
import java.util.Set;

/** A rate limit service with metrics, and access to these metrics. */
final class RlsMetricsFixture {
  static final String FILE =
      """
      domain: shop
      descriptors:
        - key: two
          rate_limit: {unit: year, requests_per_unit: 2, when_store_fails: allow}
        - key: ten
          rate_limit: {unit: year, requests_per_unit: 10}
        - key: dark
          shadow_mode: true
          rate_limit: {unit: year, requests_per_unit: 2}
        - key: free
          rate_limit: {unlimited: true}
        - key: closed
          rate_limit: {unit: year, requests_per_unit: 0}
        - key: path
          value: /a*
          rate_limit: {unit: hour, requests_per_unit: 5}
        - key: ip
          value_to_metric: true
          rate_limit: {unit: year, requests_per_unit: 10}
          descriptors:
            - key: b
              rate_limit: {unit: year, requests_per_unit: 10}
              descriptors:
                - key: c
                  rate_limit: {unit: year, requests_per_unit: 10}
                - key: d
                  rate_limit: {unit: year, requests_per_unit: 10}
        - key: each
          detailed_metric: true
          rate_limit: {unit: year, requests_per_unit: 1000}
        - key: bucket
          rate_limit: {unit: day, requests_per_unit: 10, algorithm: token_bucket, burst: 20}
        - key: odd
          rate_limit: {per: 10s, requests_per_unit: 3}
        - key: deny
          rate_limit: {unit: year, requests_per_unit: 3, when_store_fails: deny}
      """;

  private RlsMetricsFixture() {}

  interface Case {
    void run(TestServer served, RlsClient client) throws Exception;
  }

  static ServerSettings named(Names... names) {
    return ServerSettings.DEFAULT.withMetrics(new MetricsSettings(Set.of(names), null));
  }

  static void with(ServerSettings settings, Store store, Case test) throws Exception {
    try (TestServer served = TestServer.configured(FILE, settings, store);
        RlsClient client = new RlsClient(served.server.grpcPort())) {
      test.run(served, client);
    }
  }

  static void with(ServerSettings settings, Case test) throws Exception {
    with(settings, new MemoryStore(), test);
  }

  static PrometheusText scrape(TestServer served) {
    return new PrometheusText(served.admin("GET", "/metrics", "").body());
  }

  static double hits(PrometheusText metrics, String rule, String outcome) {
    return metrics.value("weir_rls_hits_total", "domain", "shop", "rule", rule, "outcome", outcome);
  }

  static double stat(PrometheusText metrics, String stat, String... keys) {
    String name = "ratelimit_service_rate_limit_" + stat;
    return keys.length == 1
        ? metrics.value(name, "domain", "shop", "key1", keys[0])
        : metrics.value(name, "domain", "shop", "key1", keys[0], "key2", keys[1]);
  }
}
