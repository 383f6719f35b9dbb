package dev.weir.server.otlp;

import dev.weir.server.exposition.Buckets;
import dev.weir.server.exposition.MetricSink;
import dev.weir.server.exposition.MetricType;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.HistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import io.opentelemetry.proto.metrics.v1.ScopeMetrics;
import io.opentelemetry.proto.resource.v1.Resource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Puts all metrics of one moment into a message. Names have dots and no unit, as OpenTelemetry has
 * them: a collector that writes them for Prometheus makes the names of {@code /metrics} of them.
 * All counts are since the start of the server. Not thread-safe.
 */
final class MetricMessages implements MetricSink {
  private static final double MICROS = 1e6;
  private static final Map<String, String> UNITS =
      Map.of("bytes", "By", "seconds", "s", "milliseconds", "ms");

  private final long startNanos;
  private final long nowNanos;
  private final Map<String, Metric.Builder> metrics = new LinkedHashMap<>();

  private MetricType type = MetricType.GAUGE;
  private Metric.Builder family = Metric.newBuilder();

  /**
   * @param startMicros since when counts are counted, in Unix time
   * @param nowMicros when they are read
   */
  MetricMessages(long startMicros, long nowMicros) {
    this.startNanos = TimeUnit.MICROSECONDS.toNanos(startMicros);
    this.nowNanos = TimeUnit.MICROSECONDS.toNanos(nowMicros);
  }

  /** The message. */
  ExportMetricsServiceRequest message(Resource resource) {
    ScopeMetrics.Builder scope = ScopeMetrics.newBuilder().setScope(Attributes.SCOPE);
    for (Metric.Builder metric : metrics.values()) {
      if (metric.getDataCase() != Metric.DataCase.DATA_NOT_SET) {
        scope.addMetrics(metric);
      }
    }
    return ExportMetricsServiceRequest.newBuilder()
        .addResourceMetrics(
            ResourceMetrics.newBuilder().setResource(resource).addScopeMetrics(scope))
        .build();
  }

  /** Adds a meter of Micrometer. */
  void add(Meter meter) {
    Meter.Id id = meter.getId();
    type =
        meter instanceof Counter || meter instanceof FunctionCounter
            ? MetricType.COUNTER
            : MetricType.GAUGE;
    family = metric(id.getName(), unit(id.getBaseUnit()), id.getDescription());
    List<KeyValue> tags = new ArrayList<>();
    for (Tag tag : id.getTagsAsIterable()) {
      tags.add(Attributes.text(tag.getKey(), tag.getValue()));
    }
    if (meter instanceof Counter counter) {
      number(counter.count(), tags);
    } else if (meter instanceof FunctionCounter counter) {
      number(counter.count(), tags);
    } else if (meter instanceof TimeGauge gauge) {
      family.setUnit("s");
      number(gauge.value(TimeUnit.SECONDS), tags);
    } else if (meter instanceof Gauge gauge) {
      number(gauge.value(), tags);
    } else if (meter instanceof Timer timer) {
      times(timer.count(), timer.totalTime(TimeUnit.SECONDS), tags);
    } else if (meter instanceof FunctionTimer timer) {
      times((long) timer.count(), timer.totalTime(TimeUnit.SECONDS), tags);
    } // there are no others
  }

  private static String unit(@Nullable String baseUnit) {
    return baseUnit == null ? "" : UNITS.getOrDefault(baseUnit, baseUnit);
  }

  private Metric.Builder metric(String name, String unit, @Nullable String description) {
    return metrics.computeIfAbsent(
        name,
        added ->
            Metric.newBuilder()
                .setName(name)
                .setUnit(unit)
                .setDescription(description == null ? "" : description));
  }

  private void number(double value, List<KeyValue> attributes) {
    if (!Double.isNaN(value)) { // what a gauge measures may be gone
      add(point(attributes).setAsDouble(value));
    }
  }

  private NumberDataPoint.Builder point(List<KeyValue> attributes) {
    NumberDataPoint.Builder point =
        NumberDataPoint.newBuilder().setTimeUnixNano(nowNanos).addAllAttributes(attributes);
    return type == MetricType.COUNTER ? point.setStartTimeUnixNano(startNanos) : point;
  }

  private void add(NumberDataPoint.Builder point) {
    if (type == MetricType.COUNTER) {
      family
          .getSumBuilder()
          .setIsMonotonic(true)
          .setAggregationTemporality(AggregationTemporality.AGGREGATION_TEMPORALITY_CUMULATIVE)
          .addDataPoints(point);
    } else {
      family.getGaugeBuilder().addDataPoints(point);
    }
  }

  /** Adds durations of which only number and sum are known. */
  private void times(long count, double seconds, List<KeyValue> attributes) {
    family.setUnit("s");
    add(times(attributes).setCount(count).setSum(seconds).addBucketCounts(count));
  }

  private HistogramDataPoint.Builder times(List<KeyValue> attributes) {
    return HistogramDataPoint.newBuilder()
        .setStartTimeUnixNano(startNanos)
        .setTimeUnixNano(nowNanos)
        .addAllAttributes(attributes);
  }

  private void add(HistogramDataPoint.Builder point) {
    family
        .getHistogramBuilder()
        .setAggregationTemporality(AggregationTemporality.AGGREGATION_TEMPORALITY_CUMULATIVE)
        .addDataPoints(point);
  }

  @Override
  public MetricMessages family(String name, MetricType familyType, String help) {
    type = familyType;
    String base = without(name, "_total");
    String seconds = without(base, "_seconds");
    boolean timed = !seconds.equals(base);
    family = metric(seconds.replace('_', '.'), timed ? "s" : "", help);
    return this;
  }

  private static String without(String name, String suffix) {
    return name.endsWith(suffix) ? name.substring(0, name.length() - suffix.length()) : name;
  }

  @Override
  public MetricMessages sample(long value, String... labels) {
    add(point(attributes(labels)).setAsInt(value));
    return this;
  }

  @Override
  public MetricMessages seconds(long micros, String... labels) {
    add(point(attributes(labels)).setAsDouble(micros / MICROS));
    return this;
  }

  @Override
  public MetricMessages histogram(Buckets buckets, String... labels) {
    HistogramDataPoint.Builder point =
        times(attributes(labels)).setCount(buckets.count()).setSum(buckets.sumMicros() / MICROS);
    for (int i = 0; i < buckets.bounds(); i++) {
      point.addExplicitBounds(buckets.boundMicros(i) / MICROS);
    }
    for (int i = 0; i <= buckets.bounds(); i++) {
      point.addBucketCounts(buckets.count(i));
    }
    add(point);
    return this;
  }

  private static List<KeyValue> attributes(String... labels) {
    List<KeyValue> attributes = new ArrayList<>(labels.length / 2);
    for (int i = 0; i < labels.length; i += 2) {
      if (!labels[i + 1].isEmpty()) {
        attributes.add(Attributes.text(labels[i], labels[i + 1]));
      }
    }
    return attributes;
  }
}
