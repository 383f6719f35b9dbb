package dev.weir.server.otlp;

import dev.weir.server.metrics.Metrics;
import dev.weir.server.telemetry.Span;
import dev.weir.time.Ticker;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.resource.v1.Resource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Makes the messages for a collector. Used by one thread. */
final class OtlpMessages {
  /** Who measures, which is no SDK of OpenTelemetry. */
  private static final Map<String, String> SDK =
      Map.of("telemetry.sdk.name", "weir", "telemetry.sdk.language", "java");

  private final Metrics metrics;
  private final Ticker ticker;
  private final long startMicros;
  private final Resource resource;
  private final SpanMessages spans;

  OtlpMessages(Map<String, String> resource, Metrics metrics, String storeKind, Ticker ticker) {
    this.metrics = metrics;
    this.ticker = ticker;
    this.startMicros = ticker.micros();
    Map<String, String> all = new HashMap<>(SDK);
    all.putAll(resource);
    this.resource = Attributes.resource(all);
    this.spans = new SpanMessages(this.resource, storeKind);
  }

  /** All metrics as they are now. */
  ExportMetricsServiceRequest metrics() {
    MetricMessages message = new MetricMessages(startMicros, ticker.micros());
    metrics.export(message::add, message);
    return message.message(resource);
  }

  ExportTraceServiceRequest spans(List<Span> batch) {
    return spans.message(batch);
  }
}
