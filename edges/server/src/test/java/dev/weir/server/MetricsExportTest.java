package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.settings.OtlpSettings;
import dev.weir.server.telemetry.SpanSampler;
import dev.weir.testkit.redis.Await;
import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.HistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a collector gets of the metrics, beside what Prometheus gets. */
class MetricsExportTest {
  private static final String RULES =
      "rules: [{name: two, match: {path: /two}, limit: 2/day, algorithm: fixed-window}]";

  private final Collector collector = new Collector();

  @AfterEach
  void close() {
    collector.close();
  }

  private TestServer start() {
    return TestServer.with(RULES, collector.serverSettings(SpanSampler.NEVER));
  }

  private Metric metric(String name) {
    return collector.metric(name).orElseThrow(() -> new AssertionError(name));
  }

  private double count(String name, String... labels) {
    return metric(name).getSum().getDataPointsList().stream()
        .filter(point -> isLabelled(point, labels))
        .mapToDouble(point -> point.hasAsInt() ? point.getAsInt() : point.getAsDouble())
        .sum();
  }

  private static boolean isLabelled(NumberDataPoint point, String... labels) {
    Map<String, String> attributes = Collector.attributes(point.getAttributesList());
    for (int i = 0; i < labels.length; i += 2) {
      if (!Objects.equals(attributes.get(labels[i]), labels[i + 1])) {
        return false;
      }
    }
    return true;
  }

  @Test
  void metricsHaveTheValuesThatPrometheusGets() {
    PrometheusText page;
    try (TestServer served = start()) {
      for (int i = 0; i < 5; i++) {
        served.check("/two");
      }
      page = new PrometheusText(served.admin("GET", "/metrics", "").body());
    }
    assertThat(count("weir.decisions", "rule", "two", "outcome", "allowed")).isEqualTo(2);
    assertThat(count("weir.decisions", "rule", "two", "outcome", "denied")).isEqualTo(3);
    assertThat(count("weir.http.requests", "endpoint", "check", "code", "429")).isEqualTo(3);
    Metric decisions = metric("weir.decisions");
    assertThat(decisions.getSum().getIsMonotonic()).isTrue();
    assertThat(decisions.getSum().getAggregationTemporality())
        .isEqualTo(AggregationTemporality.AGGREGATION_TEMPORALITY_CUMULATIVE);
    NumberDataPoint point = decisions.getSum().getDataPoints(0);
    assertThat(point.getStartTimeUnixNano()).isPositive();
    assertThat(point.getTimeUnixNano()).isGreaterThan(point.getStartTimeUnixNano());
    assertThat(metric("weir.rules").getGauge().getDataPoints(0).getAsDouble()).isEqualTo(1);
    assertThat(metric("jvm.memory.used").getUnit()).isEqualTo("By");
    assertThat(metric("process.uptime").getUnit()).isEqualTo("s");
    double uptime = metric("process.uptime").getGauge().getDataPoints(0).getAsDouble();
    assertThat(uptime).isGreaterThan(page.value("process_uptime_seconds"));
    assertThat(collector.metrics.get(0).getResourceMetrics(0).getResource().toString())
        .contains("of-the-test", "telemetry.sdk.name");
  }

  @Test
  void durationsAreHistogramsInSeconds() {
    PrometheusText page;
    try (TestServer served = start()) {
      for (int i = 0; i < 5; i++) {
        served.check("/two");
      }
      page = new PrometheusText(served.admin("GET", "/metrics", "").body());
    }
    Metric metric = metric("weir.http.request.duration");
    assertThat(metric.getUnit()).isEqualTo("s");
    HistogramDataPoint denied =
        metric.getHistogram().getDataPointsList().stream()
            .filter(
                point ->
                    Collector.attributes(point.getAttributesList())
                        .equals(Map.of("endpoint", "check", "status", "4xx")))
            .findFirst()
            .orElseThrow();
    String[] labels = {"endpoint", "check", "status", "4xx"};
    assertThat(denied.getCount()).isEqualTo(3);
    assertThat(denied.getSum())
        .isEqualTo(page.value("weir_http_request_duration_seconds_sum", labels));
    assertThat(denied.getBucketCountsList()).hasSize(denied.getExplicitBoundsCount() + 1);
    assertThat(denied.getBucketCountsList().stream().mapToLong(Long::longValue).sum()).isEqualTo(3);
    double cumulative = 0;
    for (int i = 0; i < denied.getExplicitBoundsCount(); i++) {
      cumulative += denied.getBucketCounts(i);
      String bound =
          new java.math.BigDecimal(Double.toString(denied.getExplicitBounds(i)))
              .stripTrailingZeros()
              .toPlainString();
      assertThat(cumulative)
          .isEqualTo(
              page.value(
                  "weir_http_request_duration_seconds_bucket",
                  "endpoint",
                  "check",
                  "status",
                  "4xx",
                  "le",
                  bound));
    }
  }

  /** By the rules by which a collector makes names for Prometheus: the unit, and _total. */
  private static String prometheusName(Metric metric) {
    Map<String, String> units =
        Map.of("By", "_bytes", "s", "_seconds", "ms", "_milliseconds", "", "");
    String name = metric.getName().replace('.', '_');
    String unit = units.getOrDefault(metric.getUnit(), "_" + metric.getUnit());
    String whole = name.endsWith(unit) ? name : name + unit;
    return metric.hasSum() ? whole + "_total" : whole;
  }

  @Test
  void collectorGetsEveryMetricThatPrometheusGets() {
    Set<String> exposed;
    try (TestServer served =
        TestServer.with(RULES, collector.serverSettings(SpanSampler.NEVER), new FaultyStore())) {
      served.check("/two");
      PrometheusText page = new PrometheusText(served.admin("GET", "/metrics", "").body());
      exposed = new TreeSet<>(page.types().keySet());
      exposed.removeIf(name -> page.count(name) + page.count(name + "_count") == 0);
    }
    Set<String> sent = new TreeSet<>();
    collector
        .metrics
        .get(collector.metrics.size() - 1)
        .getResourceMetrics(0)
        .getScopeMetrics(0)
        .getMetricsList()
        .forEach(metric -> sent.add(prometheusName(metric)));
    exposed.removeIf(name -> name.endsWith("_max")); // a histogram of OTLP has no such part
    assertThat(exposed).hasSizeGreaterThan(50);
    assertThat(sent).containsAll(exposed);
  }

  @Test
  void eachIntervalBringsThemAgain() {
    try (TestServer served = start()) {
      Await.until("3 messages", Collector.LONG, () -> collector.metrics.size() >= 3);
      assertThat(served.check("/two").statusCode()).isEqualTo(200);
    }
    assertThat(collector.spans).isEmpty();
  }

  @Test
  void whatIsCountedLastIsSentAtTheEnd() {
    OtlpSettings usual = collector.settings(SpanSampler.NEVER);
    OtlpSettings seldom =
        new OtlpSettings(
            usual.metrics(),
            Optional.empty(),
            Map.of(),
            Optional.empty(),
            true,
            Duration.ofHours(1),
            usual.timeout(),
            new SpanSampler(true, 1),
            Map.of());
    try (TestServer served = TestServer.with(RULES, Collector.with(seldom))) {
      served.check("/two");
      assertThat(collector.metrics).isEmpty();
    }
    assertThat(collector.metrics).hasSize(1);
    assertThat(count("weir.decisions", "rule", "two", "outcome", "allowed")).isEqualTo(1);
    assertThat(collector.spans).isEmpty();
    assertThat(collector.headers.get(0)).containsKey("Content-encoding");
  }
}
