package dev.weir.server;

import static dev.weir.server.RlsClient.about;
import static dev.weir.server.RlsClient.costing;
import static dev.weir.server.RlsClient.request;
import static dev.weir.server.RlsMetricsFixture.named;
import static dev.weir.server.RlsMetricsFixture.scrape;
import static dev.weir.server.RlsMetricsFixture.stat;
import static dev.weir.server.RlsMetricsFixture.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.server.rls.RlsSettings;
import dev.weir.server.settings.MetricsSettings;
import dev.weir.server.settings.MetricsSettings.Names;
import dev.weir.server.settings.ServerSettings;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The debug pages in plain text, and their ports. */
class RlsDebugTest {
  @Test
  void statsAreListedWhateverMetricNamesAreSet() throws Exception {
    with(
        named(Names.WEIR),
        (served, client) -> {
          client.ask(costing(3, "two", "a"));
          client.ask(request(about("a", "b")).setDomain("no.such"));
          HttpResponse<String> stats = served.admin("GET", "/stats", "");
          assertThat(CheckTest.header(stats, "Content-Type")).startsWith("text/plain");
          String rule = "ratelimit.service.rate_limit.shop.two.";
          assertThat(stats.body().lines())
              .isSorted()
              .contains(
                  rule + "total_hits: 3",
                  rule + "within_limit: 2",
                  rule + "near_limit: 1",
                  rule + "over_limit: 1",
                  rule + "over_limit_with_local_cache: 0",
                  rule + "shadow_mode: 0",
                  "ratelimit.service.rate_limit.no.such.domain_not_found: 1",
                  "ratelimit.service.call.should_rate_limit.redis_error: 0",
                  "ratelimit.service.call.should_rate_limit.service_error: 0",
                  "ratelimit.service.config_load_error: 0",
                  "ratelimit.service.config_load_success: 1",
                  "ratelimit.service.global_shadow_mode: 0",
                  "ratelimit_server.ShouldRateLimit.total_requests: 2");
        });
  }

  @Test
  void activeConfigurationIsListedByLimit() throws Exception {
    with(
        named(Names.WEIR),
        (served, client) -> {
          String plain = ", shadow_mode: false, quota_mode: false";
          assertThat(served.admin("GET", "/rlconfig", "").body().lines())
              .containsExactly(
                  "shop.two: unit=YEAR requests_per_unit=2" + plain,
                  "shop.ten: unit=YEAR requests_per_unit=10" + plain,
                  "shop.dark: unit=YEAR requests_per_unit=2, shadow_mode: true, quota_mode: false",
                  "shop.free: unit=UNKNOWN requests_per_unit=0" + plain,
                  "shop.closed: unit=YEAR requests_per_unit=0" + plain,
                  "shop.path_/a*: unit=HOUR requests_per_unit=5" + plain,
                  "shop.ip: unit=YEAR requests_per_unit=10" + plain,
                  "shop.ip.b: unit=YEAR requests_per_unit=10" + plain,
                  "shop.ip.b.c: unit=YEAR requests_per_unit=10" + plain,
                  "shop.ip.b.d: unit=YEAR requests_per_unit=10" + plain,
                  "shop.each: unit=YEAR requests_per_unit=1000" + plain,
                  "shop.bucket: unit=DAY requests_per_unit=10"
                      + plain
                      + ", algorithm: token_bucket, burst: 20, accounting: all_or_none",
                  "shop.odd: unit=MINUTE requests_per_unit=3" + plain + ", window: 10s",
                  "shop.deny: unit=YEAR requests_per_unit=3" + plain);
        });
  }

  @Test
  void configurationVersionsAreCounted() throws Exception {
    with(
        named(Names.WEIR, Names.ENVOY),
        (served, client) -> {
          for (String file : List.of("domain: shop\n", "domain: shop\ndescriptors: 1\n")) {
            Files.writeString(served.rulesFile, file);
            served.watch.poll();
            Thread.sleep(250);
            served.watch.poll();
          }
          PrometheusText metrics = scrape(served);
          assertThat(metrics.value("ratelimit_service_config_load_success")).isEqualTo(2);
          assertThat(metrics.value("ratelimit_service_config_load_error")).isEqualTo(1);
          assertThat(metrics.value("weir_rls_rules")).isZero();
          assertThat(served.admin("GET", "/rlconfig", "").body()).isEmpty();
        });
  }

  @Test
  void indexListsAdminPages() throws Exception {
    with(
        named(Names.WEIR),
        (served, client) ->
            assertThat(served.admin("GET", "/", "").body().lines())
                .extracting(line -> line.replaceAll(":.*", ""))
                .containsExactly(
                    "/",
                    "/actions",
                    "/callers",
                    "/callers/reveal",
                    "/explain",
                    "/live",
                    "/login, /logout",
                    "/metrics",
                    "/readyz",
                    "/reset",
                    "/rlconfig",
                    "/rules",
                    "/session",
                    "/stats",
                    "/v1/decide, /v1/release"));
  }

  @Test
  void metricsPortServesOnlyMetricsWithoutToken() throws Exception {
    MetricsSettings.Listener listener = new MetricsSettings.Listener("127.0.0.1", 0, "/m");
    with(
        guarded().withMetrics(new MetricsSettings(Set.of(Names.ENVOY), listener)),
        (served, client) -> {
          client.ask(about("ten", "a"));
          assertThat(served.admin("GET", "/metrics", "").statusCode()).isEqualTo(401);
          HttpResponse<String> metrics = getFromMetricsPort(served, "/m");
          assertThat(metrics.statusCode()).isEqualTo(200);
          assertThat(stat(new PrometheusText(metrics.body()), "total_hits", "ten")).isEqualTo(1);
          for (String path : List.of("/", "/metrics", "/rules", "/stats", "/m/")) {
            assertThat(getFromMetricsPort(served, path).statusCode()).as(path).isEqualTo(404);
          }
        });
    with(
        named(Names.ENVOY),
        (served, client) -> assertThat(served.server.metricsPort()).isEqualTo(ServerSettings.OFF));
  }

  private static ServerSettings guarded() {
    return ServerSettings.DEFAULT.withAdmin("127.0.0.1", "let-me-in");
  }

  private static HttpResponse<String> getFromMetricsPort(TestServer served, String path) {
    URI uri = URI.create("http://127.0.0.1:" + served.server.metricsPort() + path);
    return served.send(HttpRequest.newBuilder(uri).build());
  }

  @Test
  void invalidSettingsAreRejected() {
    Map<String, Runnable> refused =
        Map.of(
            "metrics: statsd (expected: weir, envoy or both)",
            () -> MetricsSettings.named(List.of("weir", "statsd")),
            "metrics: nothing (expected: weir, envoy or both)",
            () -> MetricsSettings.named(List.of()),
            "metrics host: nothing (expected: an address)",
            () -> new MetricsSettings.Listener("", 1, "/"),
            "metrics port: 65536 (expected: between 0 and 65535)",
            () -> new MetricsSettings.Listener("h", 65_536, "/"),
            "metrics path: metrics (expected: a path, such as /metrics)",
            () -> new MetricsSettings.Listener("h", 1, "metrics"),
            "near ratio: 1.1 (expected: between 0 and 1)",
            () -> new RlsSettings(false, false, null, false, 1.1, 0),
            "near ratio: NaN (expected: between 0 and 1)",
            () -> new RlsSettings(false, false, null, false, Double.NaN, 0),
            "local cache: -1 (expected: between 0 and 1099511627776)",
            () -> new RlsSettings(false, false, null, false, 0.8, -1));
    refused.forEach(
        (message, make) ->
            assertThatThrownBy(make::run)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message));
  }
}
