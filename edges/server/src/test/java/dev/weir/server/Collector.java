package dev.weir.server;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.weir.server.log.LogFormat;
import dev.weir.server.settings.OtlpSettings;
import dev.weir.server.settings.ServerSettings;
import dev.weir.server.settings.TelemetrySettings;
import dev.weir.server.telemetry.SpanSampler;
import dev.weir.testkit.redis.Await;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.zip.GZIPInputStream;

/** A collector on a free port that keeps what it gets, and answers as a test wants. */
public final class Collector implements AutoCloseable {
  public static final Duration LONG = Duration.ofSeconds(60);

  private static final String METRICS = "/v1/metrics";

  public final List<Span> spans = new CopyOnWriteArrayList<>();
  public final List<ExportMetricsServiceRequest> metrics = new CopyOnWriteArrayList<>();
  final List<ExportTraceServiceRequest> traces = new CopyOnWriteArrayList<>();
  final List<Map<String, List<String>>> headers = new CopyOnWriteArrayList<>();

  /** What it answers; what it answers with another status than 200, it does not keep. */
  volatile int status = 200;

  volatile byte[] body = {};

  /** Whether requests wait until it is closed. */
  volatile boolean hangs;

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final HttpServer server;

  public Collector() {
    this(0);
  }

  Collector(int port) {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 50);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext("/", this::handle);
    server.setExecutor(threads);
    server.start();
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] bytes = read(exchange).readAllBytes();
      headers.add(exchange.getRequestHeaders());
      if (hangs) {
        closed.await();
      }
      if (status == 200) {
        keep(exchange.getRequestURI().getPath(), bytes);
      }
      exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
      exchange.getResponseBody().write(body);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static InputStream read(HttpExchange exchange) throws IOException {
    boolean gzip = "gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"));
    return gzip ? new GZIPInputStream(exchange.getRequestBody()) : exchange.getRequestBody();
  }

  private void keep(String path, byte[] bytes) throws IOException {
    if (path.equals(METRICS)) {
      metrics.add(ExportMetricsServiceRequest.parseFrom(bytes));
      return;
    }
    ExportTraceServiceRequest request = ExportTraceServiceRequest.parseFrom(bytes);
    traces.add(request);
    request
        .getResourceSpansList()
        .forEach(
            resource ->
                resource.getScopeSpansList().forEach(scope -> spans.addAll(scope.getSpansList())));
  }

  public int port() {
    return server.getAddress().getPort();
  }

  /** Settings of an exporter to this collector that sends often. */
  public OtlpSettings settings(SpanSampler sampler) {
    return settings(port(), sampler);
  }

  static OtlpSettings settings(int port, SpanSampler sampler) {
    String base = "http://127.0.0.1:" + port;
    return new OtlpSettings(
        Optional.of(URI.create(base + METRICS)),
        Optional.of(URI.create(base + "/v1/traces")),
        Map.of("X-Key", "secret"),
        Optional.empty(),
        false,
        Duration.ofMillis(100),
        Duration.ofSeconds(10),
        sampler,
        Map.of("service.name", "of-the-test"));
  }

  /** Settings of a server that exports to this collector. */
  public ServerSettings serverSettings(SpanSampler sampler) {
    return with(settings(sampler));
  }

  static ServerSettings with(OtlpSettings otlp) {
    return ServerSettings.DEFAULT.withTelemetry(
        new TelemetrySettings(
            Optional.empty(), false, Optional.empty(), 10, LogFormat.TEXT, Optional.of(otlp)));
  }

  /** Waits for spans. */
  public List<Span> awaitSpans(int count) {
    Await.until(count + " spans", LONG, () -> spans.size() >= count);
    return spans;
  }

  /** The attributes of a span, as texts. */
  public static Map<String, String> attributes(Span span) {
    return attributes(span.getAttributesList());
  }

  static Map<String, String> attributes(List<KeyValue> pairs) {
    Map<String, String> attributes = new TreeMap<>();
    for (KeyValue pair : pairs) {
      attributes.put(
          pair.getKey(),
          pair.getValue().hasIntValue()
              ? Long.toString(pair.getValue().getIntValue())
              : pair.getValue().getStringValue());
    }
    return attributes;
  }

  /** A metric of the last message. */
  Optional<Metric> metric(String name) {
    return metrics.isEmpty()
        ? Optional.empty()
        : metrics
            .get(metrics.size() - 1)
            .getResourceMetrics(0)
            .getScopeMetrics(0)
            .getMetricsList()
            .stream()
            .filter(metric -> metric.getName().equals(name))
            .findFirst();
  }

  @Override
  public void close() {
    closed.countDown();
    server.stop(0);
    threads.shutdownNow();
  }
}
