package dev.weir.server;

import static dev.weir.server.RlsClient.about;
import static dev.weir.server.RlsClient.costing;
import static dev.weir.server.RlsClient.limited;
import static dev.weir.server.RlsClient.refunding;
import static dev.weir.server.RlsClient.request;
import static dev.weir.server.RlsMetered.hits;
import static dev.weir.server.RlsMetered.named;
import static dev.weir.server.RlsMetered.scrape;
import static dev.weir.server.RlsMetered.stat;
import static dev.weir.server.RlsMetered.with;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.MetricsSettings.Names;
import dev.weir.server.rls.RlsSettings;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is told of requests to Envoy's rate limit service, under both sets of names. */
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
  void hitsAreToldByDomainRuleAndWhatBecameOfThem() throws Exception {
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
          PrometheusText told = scrape(served);
          assertThat(hits(told, "two", "within")).isEqualTo(1);
          assertThat(hits(told, "two", "near")).isEqualTo(1);
          assertThat(hits(told, "two", "over")).isEqualTo(1);
          assertThat(hits(told, "dark", "shadow-over")).isEqualTo(1);
          assertThat(hits(told, "dark", "over")).isZero();
          assertThat(hits(told, "closed", "over")).isEqualTo(1);
          assertThat(hits(told, "path_/a*", "within")).isEqualTo(1);
          assertThat(hits(told, "override", "within")).isEqualTo(1);
          assertThat(hits(told, "ten", "within")).isEqualTo(4);
          assertThat(hits(told, "bucket", "within")).isEqualTo(16);
          assertThat(hits(told, "bucket", "near")).isEqualTo(2);
          assertThat(hits(told, "bucket", "over")).isEqualTo(3);
          assertThat(told.sum("weir_rls_hits_total")).isEqualTo(3 + 3 + 1 + 1 + 1 + 4 + 18 + 3);
          assertThat(told.value("weir_rls_rules")).isEqualTo(14);
          assertThat(told.value("weir_rls_domains")).isEqualTo(1);
          assertThat(served.admin("GET", "/metrics", "").body())
              .doesNotContain("secret")
              .doesNotContain("ratelimit_service");
        });
  }

  @Test
  void requestsAreToldByWhatTheyWereTold() throws Exception {
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
          PrometheusText told = scrape(served);
          String requests = "weir_rls_requests_total";
          assertThat(told.value(requests, "outcome", "ok")).isEqualTo(3);
          assertThat(told.value(requests, "outcome", "over-limit")).isEqualTo(1);
          assertThat(told.value(requests, "outcome", "shadowed")).isZero();
          assertThat(told.value(requests, "outcome", "refused")).isEqualTo(3);
          assertThat(told.value(requests, "outcome", "failed")).isZero();
          assertThat(told.value("weir_rls_duration_seconds_count")).isEqualTo(4);
          assertThat(told.value("weir_rls_duration_seconds_sum")).isPositive();
          assertThat(told.value("weir_rls_unknown_domains_total")).isEqualTo(2);
          String[] method = {"grpc_method", "ShouldRateLimit"};
          assertThat(told.value("ratelimit_service_total_requests", method)).isEqualTo(7);
          assertThat(told.value("ratelimit_service_response_time_seconds_count", method))
              .isEqualTo(4);
          String error = "ratelimit_service_should_rate_limit_error";
          assertThat(told.value(error, "err_type", "service_error")).isEqualTo(3);
          assertThat(told.value(error, "err_type", "redis_error")).isZero();
          assertThat(told.value("ratelimit_service_rate_limit_no_such_domain_domain_not_found"))
              .isEqualTo(2);
        });
  }

  /** As the scripts of envoyproxy/ratelimit look: for lines with the beginning of a name. */
  @Test
  void theBeginningOfANameFindsOneSeriesOfARule() throws Exception {
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
  void dashboardsOfTheOtherServiceFindAllItsNames() throws Exception {
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
          PrometheusText told = scrape(served);
          assertThat(told.types().keySet()).containsAll(ENVOY_COUNTERS);
          ENVOY_COUNTERS.forEach(
              name -> assertThat(told.types().get(name)).as(name).isEqualTo("counter"));
          assertThat(told.types().get("ratelimit_service_response_time_seconds"))
              .isEqualTo("histogram");
          assertThat(told.types().keySet()).allMatch(name -> name.startsWith("ratelimit_"));
          assertThat(stat(told, "total_hits", "two")).isEqualTo(3);
          assertThat(stat(told, "within_limit", "two")).isEqualTo(2);
          assertThat(stat(told, "near_limit", "two")).isEqualTo(1);
          assertThat(stat(told, "over_limit", "two")).isEqualTo(1);
          assertThat(stat(told, "shadow_mode", "two")).isZero();
          assertThat(stat(told, "over_limit", "dark")).isEqualTo(1);
          assertThat(stat(told, "shadow_mode", "dark")).isEqualTo(1);
          assertThat(told.count("ratelimit_service_rate_limit_over_limit_with_local_cache"))
              .isZero();
          assertThat(stat(told, "total_hits", "ip_10_1_2_3")).isEqualTo(1);
          // What is deeper than two keys is counted together with them.
          assertThat(stat(told, "total_hits", "ip_10_1_2_3", "b")).isEqualTo(4);
          assertThat(stat(told, "total_hits", "each_q_r_s", "t")).isEqualTo(1);
          assertThat(stat(told, "total_hits", "override")).isEqualTo(1);
          assertThat(told.value("ratelimit_service_config_load_success")).isEqualTo(1);
        });
  }

  @Test
  void theWholeServiceInShadowIsTold() throws Exception {
    RlsSettings shadow = new RlsSettings(true, false, null, false);
    with(
        named(Names.WEIR, Names.ENVOY).withRls(shadow),
        (served, client) -> {
          client.ask(costing(3, "two", "a"));
          PrometheusText told = scrape(served);
          assertThat(told.value("weir_rls_requests_total", "outcome", "shadowed")).isEqualTo(1);
          assertThat(told.value("ratelimit_service_global_shadow_mode")).isEqualTo(1);
          assertThat(stat(told, "over_limit", "two")).isEqualTo(1);
          assertThat(stat(told, "shadow_mode", "two")).isZero();
        });
  }

  @Test
  void aStoreThatDoesNotAnswerIsTold() throws Exception {
    MoodyStore store = new MoodyStore();
    store.gone = true;
    with(
        named(Names.WEIR, Names.ENVOY),
        store,
        (served, client) -> {
          client.ask(costing(3, "two", "a"));
          client.ask(costing(2, "deny", "a"));
          PrometheusText told = scrape(served);
          assertThat(hits(told, "two", "uncounted")).isEqualTo(3);
          assertThat(hits(told, "deny", "unanswered")).isEqualTo(2);
          assertThat(stat(told, "within_limit", "two")).isEqualTo(3);
          assertThat(stat(told, "over_limit", "deny")).isEqualTo(2);
          String error = "ratelimit_service_should_rate_limit_error";
          assertThat(told.value(error, "err_type", "redis_error")).isEqualTo(2);
          assertThat(told.types()).containsKey("ratelimit_redis_pool_cx_active");
          String degraded = "weir_decisions_degraded_total";
          assertThat(told.value(degraded, "way", "allow")).isEqualTo(1);
          assertThat(told.value(degraded, "way", "deny")).isEqualTo(1);
          for (int i = 0; i < 20; i++) {
            client.ask(about("two", "b"));
          }
          PrometheusText later = scrape(served);
          assertThat(later.value("weir_store_not_asked_total")).isGreaterThanOrEqualTo(12);
          assertThat(later.value(error, "err_type", "redis_error"))
              .as("goes on while the store is not asked")
              .isEqualTo(22);
          assertThat(later.value(degraded, "way", "allow")).isEqualTo(21);
        });
  }
}
