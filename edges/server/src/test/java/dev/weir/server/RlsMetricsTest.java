package dev.weir.server;

import static dev.weir.server.RlsClient.about;
import static dev.weir.server.RlsClient.costing;
import static dev.weir.server.RlsClient.limited;
import static dev.weir.server.RlsClient.refunding;
import static dev.weir.server.RlsClient.request;
import static dev.weir.server.RlsMetricsFixture.hits;
import static dev.weir.server.RlsMetricsFixture.named;
import static dev.weir.server.RlsMetricsFixture.scrape;
import static dev.weir.server.RlsMetricsFixture.stat;
import static dev.weir.server.RlsMetricsFixture.with;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.rls.RlsSettings;
import dev.weir.server.settings.MetricsSettings.Names;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The metrics of Envoy's rate limit service, under both sets of names. */
class RlsMetricsTest {
  private static final List<String> ENVOY_COUNTERS =
      List.of(
          "ratelimit_service_rate_limit_total_hits",
          "ratelimit_service_rate_limit_within_limit",
          "ratelimit_service_rate_limit_near_limit",
          "ratelimit_service_rate_limit_over_limit",
          "ratelimit_service_rate_limit_over_limit_with_local_cache",
          "ratelimit_service_rate_limit_shadow_mode",
          "ratelimit_service_should_rate_limit_error",
          "ratelimit_service_total_requests",
          "ratelimit_service_config_load_success",
          "ratelimit_service_config_load_error",
          "ratelimit_service_global_shadow_mode");

  @Test
  void hitsAreCountedByDomainRuleAndOutcome() throws Exception {
    with(
        named(Names.WEIR),
        (served, client) -> {
          client.ask(costing(3, "two", "a"));
          client.ask(costing(3, "dark", "a"));
          client.ask(about("closed", "a"));
          client.ask(about("path", "/abc"), about("free", "a"), about("nothing", "a"));
          client.ask(limited(5, 4, "someone", "secret"));
          client.ask(costing(0, "ten", "a"));
          client.ask(costing(4, "ten", "a"));
          client.ask(refunding(2, "ten", "a"));
          // A bucket is near its limit by its burst, and counts nothing that it denies.
          client.ask(costing(18, "bucket", "a"));
          client.ask(costing(3, "bucket", "a"));
          PrometheusText metrics = scrape(served);
          assertThat(hits(metrics, "two", "within")).isEqualTo(1);
          assertThat(hits(metrics, "two", "near")).isEqualTo(1);
          assertThat(hits(metrics, "two", "over")).isEqualTo(1);
          assertThat(hits(metrics, "dark", "shadow-over")).isEqualTo(1);
          assertThat(hits(metrics, "dark", "over")).isZero();
          assertThat(hits(metrics, "closed", "over")).isEqualTo(1);
          assertThat(hits(metrics, "path_/a*", "within")).isEqualTo(1);
          assertThat(hits(metrics, "override", "within")).isEqualTo(1);
          assertThat(hits(metrics, "ten", "within")).isEqualTo(4);
          assertThat(hits(metrics, "bucket", "within")).isEqualTo(16);
          assertThat(hits(metrics, "bucket", "near")).isEqualTo(2);
          assertThat(hits(metrics, "bucket", "over")).isEqualTo(3);
          assertThat(metrics.sum("weir_rls_hits_total")).isEqualTo(3 + 3 + 1 + 1 + 1 + 4 + 18 + 3);
          assertThat(metrics.value("weir_rls_rules")).isEqualTo(14);
          assertThat(metrics.value("weir_rls_domains")).isEqualTo(1);
          assertThat(served.admin("GET", "/metrics", "").body())
              .doesNotContain("secret")
              .doesNotContain("ratelimit_service");
        });
  }

  @Test
  void requestsAreCountedByOutcome() throws Exception {
    with(
        named(Names.WEIR, Names.ENVOY),
        (served, client) -> {
          client.ask(about("two", "a"));
          client.ask(costing(2, "two", "a"));
          client.refused(request());
          client.refused(RateLimitRequest.newBuilder().addDescriptors(about("a", "b")));
          served.post("/json", "{");
          client.ask(request(about("a", "b")).setDomain("no.such-domain"));
          client.ask(request(about("a", "b")).setDomain("no:such_domain"));
          PrometheusText metrics = scrape(served);
          String requests = "weir_rls_requests_total";
          assertThat(metrics.value(requests, "outcome", "ok")).isEqualTo(3);
          assertThat(metrics.value(requests, "outcome", "over-limit")).isEqualTo(1);
          assertThat(metrics.value(requests, "outcome", "shadowed")).isZero();
          assertThat(metrics.value(requests, "outcome", "refused")).isEqualTo(3);
          assertThat(metrics.value(requests, "outcome", "failed")).isZero();
          assertThat(metrics.value("weir_rls_duration_seconds_count")).isEqualTo(4);
          assertThat(metrics.value("weir_rls_duration_seconds_sum")).isPositive();
          assertThat(metrics.value("weir_rls_unknown_domains_total")).isEqualTo(2);
          String[] method = {"grpc_method", "ShouldRateLimit"};
          assertThat(metrics.value("ratelimit_service_total_requests", method)).isEqualTo(7);
          assertThat(metrics.value("ratelimit_service_response_time_seconds_count", method))
              .isEqualTo(4);
          String error = "ratelimit_service_should_rate_limit_error";
          assertThat(metrics.value(error, "err_type", "service_error")).isEqualTo(3);
          assertThat(metrics.value(error, "err_type", "redis_error")).isZero();
          assertThat(metrics.value("ratelimit_service_rate_limit_no_such_domain_domain_not_found"))
              .isEqualTo(2);
        });
  }

  /** The scripts of envoyproxy/ratelimit search for lines by the prefix of a name. */
  @Test
  void namePrefixFindsOneSeriesOfARule() throws Exception {
    with(
        named(Names.ENVOY),
        (served, client) -> {
          client.ask(costing(1_001, "each", "x"));
          assertThat(served.admin("GET", "/metrics", "").body().lines())
              .filteredOn(line -> line.contains("ratelimit_service_rate_limit_over_limit"))
              .filteredOn(line -> line.contains("each_x"))
              .containsExactly(
                  "ratelimit_service_rate_limit_over_limit{domain=\"shop\",key1=\"each_x\"} 1");
        });
  }

  @Test
  void metricNamesOfEnvoyRatelimitAreComplete() throws Exception {
    with(
        named(Names.ENVOY),
        (served, client) -> {
          client.ask(costing(3, "two", "a"));
          client.ask(costing(3, "dark", "a"));
          client.ask(about("ip", "10.1.2.3"));
          client.ask(about("ip", "10.1.2.3", "b", "x"));
          client.ask(about("ip", "10.1.2.3", "b", "x", "c", "y"));
          client.ask(costing(2, "ip", "10.1.2.3", "b", "x", "d", "y"));
          client.ask(about("each", "q:r|s.t"));
          client.ask(limited(5, 4, "k", "v.w"));
          PrometheusText metrics = scrape(served);
          assertThat(metrics.types().keySet()).containsAll(ENVOY_COUNTERS);
          ENVOY_COUNTERS.forEach(
              name -> assertThat(metrics.types().get(name)).as(name).isEqualTo("counter"));
          assertThat(metrics.types().get("ratelimit_service_response_time_seconds"))
              .isEqualTo("histogram");
          assertThat(metrics.types().keySet()).allMatch(name -> name.startsWith("ratelimit_"));
          assertThat(stat(metrics, "total_hits", "two")).isEqualTo(3);
          assertThat(stat(metrics, "within_limit", "two")).isEqualTo(2);
          assertThat(stat(metrics, "near_limit", "two")).isEqualTo(1);
          assertThat(stat(metrics, "over_limit", "two")).isEqualTo(1);
          assertThat(stat(metrics, "shadow_mode", "two")).isZero();
          assertThat(stat(metrics, "over_limit", "dark")).isEqualTo(1);
          assertThat(stat(metrics, "shadow_mode", "dark")).isEqualTo(1);
          assertThat(metrics.count("ratelimit_service_rate_limit_over_limit_with_local_cache"))
              .isZero();
          assertThat(stat(metrics, "total_hits", "ip_10_1_2_3")).isEqualTo(1);
          // Entries deeper than two keys are counted together with them.
          assertThat(stat(metrics, "total_hits", "ip_10_1_2_3", "b")).isEqualTo(4);
          assertThat(stat(metrics, "total_hits", "each_q_r_s", "t")).isEqualTo(1);
          assertThat(stat(metrics, "total_hits", "override")).isEqualTo(1);
          assertThat(metrics.value("ratelimit_service_config_load_success")).isEqualTo(1);
        });
  }

  @Test
  void shadowModeOfTheServiceIsCounted() throws Exception {
    RlsSettings shadow = new RlsSettings(true, false, null, false);
    with(
        named(Names.WEIR, Names.ENVOY).withRls(shadow),
        (served, client) -> {
          client.ask(costing(3, "two", "a"));
          PrometheusText metrics = scrape(served);
          assertThat(metrics.value("weir_rls_requests_total", "outcome", "shadowed")).isEqualTo(1);
          assertThat(metrics.value("ratelimit_service_global_shadow_mode")).isEqualTo(1);
          assertThat(stat(metrics, "over_limit", "two")).isEqualTo(1);
          assertThat(stat(metrics, "shadow_mode", "two")).isZero();
        });
  }

  @Test
  void storeFailuresAreCounted() throws Exception {
    FaultyStore store = new FaultyStore();
    store.gone = true;
    with(
        named(Names.WEIR, Names.ENVOY),
        store,
        (served, client) -> {
          client.ask(costing(3, "two", "a"));
          client.ask(costing(2, "deny", "a"));
          PrometheusText metrics = scrape(served);
          assertThat(hits(metrics, "two", "uncounted")).isEqualTo(3);
          assertThat(hits(metrics, "deny", "unanswered")).isEqualTo(2);
          assertThat(stat(metrics, "within_limit", "two")).isEqualTo(3);
          assertThat(stat(metrics, "over_limit", "deny")).isEqualTo(2);
          String error = "ratelimit_service_should_rate_limit_error";
          assertThat(metrics.value(error, "err_type", "redis_error")).isEqualTo(2);
          assertThat(metrics.types()).containsKey("ratelimit_redis_pool_cx_active");
          String degraded = "weir_decisions_degraded_total";
          assertThat(metrics.value(degraded, "way", "allow")).isEqualTo(1);
          assertThat(metrics.value(degraded, "way", "deny")).isEqualTo(1);
          for (int i = 0; i < 20; i++) {
            client.ask(about("two", "b"));
          }
          PrometheusText later = scrape(served);
          assertThat(later.value("weir_store_rejected_total")).isGreaterThanOrEqualTo(12);
          assertThat(later.value(error, "err_type", "redis_error"))
              .as("goes on while the circuit breaker is open")
              .isEqualTo(22);
          assertThat(later.value(degraded, "way", "allow")).isEqualTo(21);
        });
  }
}
