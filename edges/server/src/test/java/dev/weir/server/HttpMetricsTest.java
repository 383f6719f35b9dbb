package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.exposition.Exposition;
import dev.weir.server.metrics.HttpStats;
import dev.weir.server.metrics.HttpStats.Endpoint;
import dev.weir.testkit.redis.Await;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Metrics of HTTP, the JVM and the process. */
class HttpMetricsTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final String RULES =
      """
      rules:
        - {name: two, match: {path: /two}, limit: 2/day, algorithm: fixed-window}
        - {name: flight, match: {path: /slow}, concurrent: 5}
      """;

  private static PrometheusText metrics(TestServer served) {
    return new PrometheusText(served.admin("GET", "/metrics", "").body());
  }

  private static double requests(PrometheusText metrics, String endpoint, String code) {
    return metrics.value("weir_http_requests_total", "endpoint", endpoint, "code", code);
  }

  private static double timed(PrometheusText metrics, String endpoint, String status) {
    return metrics.value(
        "weir_http_request_duration_seconds_count", "endpoint", endpoint, "status", status);
  }

  @Test
  void requestsAreCountedAndTimedByEndpointAndStatus() {
    try (TestServer served = TestServer.with(RULES)) {
      for (int i = 0; i < 5; i++) {
        served.check("/two?n=" + i);
      }
      served.get("/v1/check?deny=403", TestServer.forwardedHeaders("/two"));
      String permit = served.decide(TestServer.values("/slow")).getString("permit");
      served.post("/v1/release", "{\"permit\": \"" + permit + "\"}");
      served.post("/v1/decide", "{\"values\": {\"pth\": \"/\"}}");
      served.get("/v1/decide");
      served.get("/readyz");
      for (int i = 0; i < 50; i++) {
        served.get("/no-such-path-" + i);
      }
      served.admin("POST", "/explain", TestServer.values("/two"));
      PrometheusText metrics = awaitCounted(served, 62);
      assertThat(requests(metrics, "check", "200")).isEqualTo(2);
      assertThat(requests(metrics, "check", "429")).isEqualTo(3);
      assertThat(requests(metrics, "check", "403")).isEqualTo(1);
      assertThat(requests(metrics, "decide", "200")).isEqualTo(1);
      assertThat(requests(metrics, "decide", "400")).isEqualTo(1);
      assertThat(requests(metrics, "decide", "405")).isEqualTo(1);
      assertThat(requests(metrics, "release", "200")).isEqualTo(1);
      assertThat(requests(metrics, "readyz", "200")).isEqualTo(1);
      assertThat(requests(metrics, "explain", "200")).isEqualTo(1);
      assertThat(requests(metrics, "other", "404")).isEqualTo(50);
      assertThat(timed(metrics, "check", "2xx")).isEqualTo(2);
      assertThat(timed(metrics, "check", "4xx")).isEqualTo(4);
      assertThat(timed(metrics, "decide", "4xx")).isEqualTo(2);
      assertThat(
              metrics.value(
                  "weir_http_request_duration_seconds_sum", "endpoint", "check", "status", "4xx"))
          .isPositive();
      assertThat(metrics(served).count("weir_http_requests_total"))
          .as("ten, and the scrapes")
          .isEqualTo(11);
    }
  }

  /** A request is counted a moment after its response is sent. */
  private static PrometheusText awaitCounted(TestServer served, int requests) {
    AtomicInteger scrapes = new AtomicInteger();
    Await.until(
        requests + " requests",
        LONG,
        () -> {
          scrapes.incrementAndGet();
          PrometheusText metrics = metrics(served);
          return metrics.sum("weir_http_requests_total") >= requests + scrapes.get() - 1;
        });
    return metrics(served);
  }

  @Test
  void invalidRequestsAndDisconnectsAreCounted() throws Exception {
    try (TestServer served = TestServer.with(RULES)) {
      try (RawClient client = new RawClient(served.server.port(), 20_000)) {
        client.send("GET / HTTP/1.1\r\nno header\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        RawClient.Response refused = client.read(false);
        assertThat(refused == null ? 0 : refused.status()).isEqualTo(400);
      }
      try (RawClient client = new RawClient(served.server.port(), 20_000)) {
        String head =
            "POST /v1/decide HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{";
        client.send(head.getBytes(StandardCharsets.US_ASCII));
      }
      Await.until(
          "the closed connection is counted",
          LONG,
          () ->
              served
                  .admin("GET", "/metrics", "")
                  .body()
                  .contains("weir_http_requests_total{endpoint=\"decide\",code=\"none\"} 1"));
      PrometheusText metrics = metrics(served);
      assertThat(requests(metrics, "invalid", "400")).isEqualTo(1);
      assertThat(timed(metrics, "decide", "none")).isEqualTo(1);
    }
  }

  private static String text(HttpStats stats) {
    Exposition out = new Exposition();
    stats.accept(out);
    return out.toString();
  }

  @Test
  void nothingIsCountedBeforeTheServerStarts() {
    HttpStats stats = new HttpStats();
    stats.record(Endpoint.CHECK, 200, 1_000_000);
    assertThat(text(stats)).doesNotContain("weir_http_requests_total{");
    stats.start();
    stats.record(Endpoint.CHECK, 200, 1_000_000);
    stats.record(Endpoint.CHECK, 418, 1_000_000);
    PrometheusText text = new PrometheusText(text(stats));
    assertThat(requests(text, "check", "200")).isEqualTo(1);
    assertThat(requests(text, "check", "other")).isEqualTo(1);
    assertThat(timed(text, "check", "2xx")).isEqualTo(1);
  }

  @Test
  void jvmAndProcessMetricsAreExposed() {
    try (TestServer served = TestServer.with(RULES)) {
      PrometheusText metrics = metrics(served);
      assertThat(metrics.types())
          .containsEntry("jvm_memory_used_bytes", "gauge")
          .containsEntry("jvm_memory_max_bytes", "gauge")
          .containsEntry("jvm_threads_live_threads", "gauge")
          .containsEntry("jvm_gc_memory_allocated_bytes_total", "counter")
          .containsEntry("jvm_classes_loaded_classes", "gauge")
          .containsEntry("process_cpu_usage", "gauge")
          .containsEntry("process_files_open_files", "gauge");
      assertThat(metrics.value("process_cpu_seconds_total")).isPositive();
      assertThat(metrics.value("process_open_fds")).isPositive();
      assertThat(metrics.value("process_max_fds")).isPositive();
      assertThat(metrics.value("process_uptime_seconds")).isPositive();
      double started = metrics.value("process_start_time_seconds");
      assertThat(started).isBetween(1.6e9, System.currentTimeMillis() / 1e3);
      assertThat(metrics.sum("jvm_memory_used_bytes")).isPositive();
      String java = Runtime.version().toString();
      assertThat(metrics.value("weir_build_info", "version", "unpackaged", "java_version", java))
          .isEqualTo(1);
    }
  }

  @Test
  void rejectedRulesVersionIsPending() throws Exception {
    try (TestServer served = TestServer.with(RULES)) {
      String version = served.watch.status().version();
      PrometheusText before = metrics(served);
      assertThat(before.value("weir_rules_refused_pending")).isZero();
      assertThat(before.value("weir_rules_info", "version", version)).isEqualTo(1);
      assertThat(before.value("weir_rules_loaded_timestamp_seconds"))
          .isEqualTo((double) served.watch.status().since().getEpochSecond());

      Files.writeString(served.rulesFile, "rules: [{name: broken}]");
      awaitPending(served, true);
      PrometheusText refused = metrics(served);
      assertThat(refused.value("weir_rules_refused_pending")).isEqualTo(1);
      assertThat(refused.value("weir_rules_info", "version", version)).isEqualTo(1);

      Files.writeString(served.rulesFile, "rules: [{name: mended, limit: 9/hour}]");
      awaitPending(served, false);
      PrometheusText mended = metrics(served);
      assertThat(mended.value("weir_rules_refused_pending")).isZero();
      assertThat(mended.value("weir_rules_info", "version", served.watch.status().version()))
          .isEqualTo(1);
      assertThat(mended.count("weir_rules_info")).isEqualTo(1);
    }
  }

  private static void awaitPending(TestServer served, boolean pending) {
    Await.until(
        pending ? "the version is rejected" : "the version is active",
        LONG,
        () -> {
          served.watch.poll();
          return served.watch.status().isNewestRefused() == pending;
        });
  }
}
