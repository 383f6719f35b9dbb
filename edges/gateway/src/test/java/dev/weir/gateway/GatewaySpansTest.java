package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.weir.server.log.LogFormat;
import dev.weir.server.settings.OtlpSettings;
import dev.weir.server.settings.ServerSettings;
import dev.weir.server.settings.TelemetrySettings;
import dev.weir.server.telemetry.SpanSampler;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Status.StatusCode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The spans and the log of denials of a gateway. */
class GatewaySpansTest {
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String SAMPLED = "00-" + TRACE + "-00f067aa0ba902b7-01";
  private static final String RULES =
      "rules: [{name: two, match: {path: /two}, limit: 2/day, algorithm: fixed-window}]\n";

  @TempDir private Path folder = Path.of("");

  private final List<Span> spans = new CopyOnWriteArrayList<>();
  private final ScriptedUpstream upstream = ScriptedUpstream.friendly();
  private HttpServer collector;

  @BeforeEach
  void start() throws IOException {
    collector = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
    collector.createContext(
        "/v1/traces",
        exchange -> {
          ExportTraceServiceRequest.parseFrom(exchange.getRequestBody())
              .getResourceSpansList()
              .forEach(one -> spans.addAll(one.getScopeSpans(0).getSpansList()));
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    collector.start();
  }

  @AfterEach
  void close() throws IOException {
    collector.stop(0);
    upstream.close();
  }

  private Path denials() {
    return folder.resolve("denials.log");
  }

  private TestGateway gateway(String rules, double ratio) {
    URI traces = URI.create("http://127.0.0.1:" + collector.getAddress().getPort() + "/v1/traces");
    OtlpSettings otlp =
        new OtlpSettings(
            Optional.empty(),
            Optional.of(traces),
            Map.of(),
            Optional.empty(),
            false,
            Duration.ofMillis(100),
            Duration.ofSeconds(10),
            new SpanSampler(true, ratio),
            Map.of());
    ServerSettings settings =
        ServerSettings.DEFAULT
            .withPorts(0, -1, 0)
            .withTelemetry(
                new TelemetrySettings(
                    Optional.empty(),
                    false,
                    Optional.of(denials().toString()),
                    100,
                    LogFormat.TEXT,
                    Optional.of(otlp)));
    return TestGateway.start(rules, settings, Optional.empty(), upstream.url());
  }

  private static Map<String, String> attributes(Span span) {
    Map<String, String> attributes = new TreeMap<>();
    for (KeyValue pair : span.getAttributesList()) {
      attributes.put(
          pair.getKey(),
          pair.getValue().getStringValue()
              + (pair.getValue().hasIntValue() ? pair.getValue().getIntValue() : ""));
    }
    return attributes;
  }

  @Test
  void upstreamContinuesTheSpanOfTheGateway() {
    try (TestGateway gateway = gateway("trusted-proxies: [127.0.0.1]\n" + RULES, 0)) {
      gateway.send(gateway.request("/two?secret").header("traceparent", SAMPLED));
    }
    assertThat(spans).hasSize(1);
    HexFormat hex = HexFormat.of();
    String span = hex.formatHex(spans.get(0).getSpanId().toByteArray());
    assertThat(upstream.received.get(0).values("traceparent"))
        .containsExactly("00-" + TRACE + "-" + span + "-01");
    assertThat(hex.formatHex(spans.get(0).getParentSpanId().toByteArray()))
        .isEqualTo("00f067aa0ba902b7");
    assertThat(spans.get(0).getName()).isEqualTo("weir.proxy");
    assertThat(attributes(spans.get(0)))
        .isEqualTo(
            Map.of(
                "weir.outcome", "allowed",
                "weir.rule", "two",
                "weir.remaining", "1",
                "weir.store", "embedded",
                "http.response.status_code", "200"));
  }

  /** A client is not asked which traces are worth their money, but its trace goes on. */
  @Test
  void clientThatIsNoTrustedProxyDoesNotDecideWhatIsRecorded() {
    try (TestGateway gateway = gateway(RULES, 0)) {
      gateway.send(gateway.request("/two").header("traceparent", SAMPLED));
    }
    assertThat(upstream.received.get(0).values("traceparent")).containsExactly(SAMPLED);
    assertThat(spans).isEmpty();
  }

  @Test
  void traceBeginsAtTheGatewayIfTheClientHasNone() {
    try (TestGateway gateway = gateway(RULES, 1)) {
      gateway.get("/two");
    }
    assertThat(spans).hasSize(1);
    HexFormat hex = HexFormat.of();
    assertThat(upstream.received.get(0).values("traceparent"))
        .containsExactly(
            "00-"
                + hex.formatHex(spans.get(0).getTraceId().toByteArray())
                + "-"
                + hex.formatHex(spans.get(0).getSpanId().toByteArray())
                + "-01");
    assertThat(spans.get(0).getParentSpanId()).isEmpty();
  }

  @Test
  void denialsAreSpansAndLines() throws IOException {
    try (TestGateway gateway = gateway(RULES, 1)) {
      for (int i = 0; i < 3; i++) {
        gateway.get("/two?secret=" + i);
      }
    }
    assertThat(spans).hasSize(3);
    assertThat(attributes(spans.get(2)))
        .containsEntry("weir.outcome", "denied")
        .containsEntry("weir.rule", "two")
        .containsEntry("http.response.status_code", "429");
    assertThat(Files.readAllLines(denials()))
        .singleElement()
        .asString()
        .matches(
            "\\S+Z endpoint=proxy method=GET path=/two outcome=denied rule=two"
                + " caller=[0-9a-f]{16} retryAfterMillis=\\d+ traceId=[0-9a-f]{32}");
  }

  @Test
  void requestThatTheUpstreamFailsIsAnError() throws IOException {
    upstream.close();
    try (TestGateway gateway = gateway(RULES, 1)) {
      assertThat(gateway.get("/two").statusCode()).isEqualTo(502);
    }
    assertThat(attributes(spans.get(0)))
        .containsEntry("weir.outcome", "allowed")
        .containsEntry("http.response.status_code", "502");
    assertThat(spans.get(0).getStatus().getCode()).isEqualTo(StatusCode.STATUS_CODE_ERROR);
  }
}
