package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.weir.memory.MemoryStore;
import dev.weir.rules.domain.DomainBook;
import dev.weir.rules.domain.TestDomains;
import dev.weir.rules.domain.Unit;
import dev.weir.server.settings.ServerSettings;
import dev.weir.server.telemetry.SpanSampler;
import dev.weir.testkit.redis.Await;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.grpc.Metadata;
import io.grpc.stub.MetadataUtils;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Span.SpanKind;
import io.opentelemetry.proto.trace.v1.Status.StatusCode;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The spans of decisions, as a collector gets them. */
class SpansTest {
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String PARENT = "00f067aa0ba902b7";
  private static final String SAMPLED = "00-" + TRACE + "-" + PARENT + "-01";
  private static final String UNSAMPLED = "00-" + TRACE + "-" + PARENT + "-00";
  private static final String RULES =
      """
      identity: {user: header x-user}
      rules:
        - {name: two, match: {path: /two}, per: user, limit: 2/day, algorithm: fixed-window}
        - {name: bad, match: {path: /bad}, limit: blocked}
        - {name: store, match: {path: /deny}, limit: 13/day, when-store-fails: deny}
        - {name: local, match: {path: /local}, limit: 13/day, when-store-fails: local}
      """;

  private final Collector collector = new Collector();

  @AfterEach
  void close() {
    collector.close();
  }

  private TestServer start(SpanSampler sampler) {
    return TestServer.with(RULES, collector.serverSettings(sampler));
  }

  private static String hex(ByteString bytes) {
    return HexFormat.of().formatHex(bytes.toByteArray());
  }

  @Test
  void spanOfACheckHasTheCallerOfTheRequestAsParent() {
    try (TestServer served = start(new SpanSampler(true, 0))) {
      served.get("/v1/check/two?token=secret", "traceparent", SAMPLED, "X-User", "alice");
    }
    Span span = collector.awaitSpans(1).get(0);
    assertThat(hex(span.getTraceId())).isEqualTo(TRACE);
    assertThat(hex(span.getParentSpanId())).isEqualTo(PARENT);
    assertThat(hex(span.getSpanId())).hasSize(16).isNotEqualTo(PARENT);
    assertThat(span.getName()).isEqualTo("weir.check");
    assertThat(span.getKind()).isEqualTo(SpanKind.SPAN_KIND_SERVER);
    assertThat(span.getFlags()).isEqualTo(0x301);
    assertThat(span.getStartTimeUnixNano()).isPositive();
    assertThat(span.getEndTimeUnixNano()).isGreaterThanOrEqualTo(span.getStartTimeUnixNano());
    assertThat(span.getStatus().getCode()).isEqualTo(StatusCode.STATUS_CODE_UNSET);
    assertThat(Collector.attributes(span))
        .isEqualTo(
            Map.of(
                "weir.outcome", "allowed",
                "weir.rule", "two",
                "weir.remaining", "1",
                "weir.store", "embedded",
                "http.response.status_code", "200"));
    assertThat(collector.traces.get(0).toString())
        .contains("of-the-test")
        .doesNotContain("alice")
        .doesNotContain("secret")
        .doesNotContain("/two");
    assertThat(collector.headers.get(0)).containsEntry("X-key", List.of("secret"));
  }

  @Test
  void onlyTracesThatTheCallerRecordsHaveSpans() {
    try (TestServer served = start(new SpanSampler(true, 0))) {
      served.get("/v1/check/two");
      served.get("/v1/check/two", "traceparent", UNSAMPLED);
      served.get("/v1/check/two", "traceparent", "00-" + TRACE + "-nonsense-01");
      served.get("/v1/check/two", "traceparent", SAMPLED, "traceparent", SAMPLED);
      served.get("/v1/check/two", "TraceParent", SAMPLED);
    }
    assertThat(collector.spans).hasSize(1);
  }

  @Test
  void requestWithoutATraceBeginsOne() {
    try (TestServer served = start(new SpanSampler(true, 1))) {
      served.get("/v1/check/two");
      served.get("/v1/check/two", "traceparent", UNSAMPLED);
      served.get("/v1/check/bad", "traceparent", "garbage");
    }
    assertThat(collector.spans).hasSize(2);
    for (Span span : collector.spans) {
      assertThat(span.getParentSpanId()).isEmpty();
      assertThat(hex(span.getTraceId())).hasSize(32).isNotEqualTo(TRACE);
      assertThat(span.getFlags()).isEqualTo(0x101);
    }
    assertThat(Collector.attributes(collector.spans.get(1)))
        .containsEntry("weir.outcome", "blocked")
        .containsEntry("weir.rule", "bad")
        .doesNotContainKey("weir.remaining");
  }

  @Test
  void eachDecisionOfABodyHasASpan() {
    String body =
        """
        {"requests": [{"values": {"path": "/two"}}, {"operation": "peek", "values": {"path": "/two"}},
          {"values": {"path": "/bad"}}]}
        """;
    try (TestServer served = start(new SpanSampler(true, 1))) {
      served.decide(body);
      served.post("/v1/decide", "{}");
    }
    List<Span> spans = collector.awaitSpans(4);
    assertThat(spans).allMatch(span -> span.getName().equals("weir.decide"));
    assertThat(spans.stream().map(Span::getSpanId).distinct()).hasSize(4);
    assertThat(spans.stream().limit(3).map(Span::getTraceId).distinct()).hasSize(1);
    assertThat(Collector.attributes(spans.get(1))).containsEntry("weir.operation", "peek");
    assertThat(Collector.attributes(spans.get(2))).containsEntry("weir.outcome", "blocked");
    assertThat(Collector.attributes(spans.get(3)))
        .containsEntry("weir.outcome", "refused")
        .containsEntry("http.response.status_code", "400");
  }

  @Test
  void spanSaysWhatTheStoreHadToDoWithIt() {
    FaultyStore store = new FaultyStore();
    store.gone = true;
    ServerSettings settings = collector.serverSettings(new SpanSampler(true, 1));
    try (TestServer served = TestServer.with(RULES, settings, store)) {
      served.get("/v1/check/deny");
      served.get("/v1/check/local");
      served.decide("{\"requests\": [{\"values\": {\"path\": \"/deny\"}}]}");
    }
    List<Span> spans = collector.awaitSpans(3);
    assertThat(Collector.attributes(spans.get(0)))
        .containsEntry("weir.outcome", "unanswered")
        .containsEntry("weir.rule", "store")
        .containsEntry("weir.degraded", "deny")
        .containsEntry("weir.store", "elsewhere")
        .containsEntry("http.response.status_code", "503");
    assertThat(spans.get(0).getStatus().getCode()).isEqualTo(StatusCode.STATUS_CODE_ERROR);
    assertThat(Collector.attributes(spans.get(1)))
        .containsEntry("weir.outcome", "allowed")
        .containsEntry("weir.degraded", "local");
    assertThat(Collector.attributes(spans.get(2)))
        .containsEntry("weir.outcome", "unanswered")
        .containsEntry("weir.rule", "store");
  }

  @Test
  void traceOfACallOfEnvoyIsInItsMetadata() {
    DomainBook domains = TestDomains.book("shop", TestDomains.at("user").per(1, Unit.DAY));
    ServerSettings settings = collector.serverSettings(new SpanSampler(true, 0));
    try (TestServer served = TestServer.with(RULES, settings, new MemoryStore(), domains);
        RlsClient client = new RlsClient(served.server.grpcPort())) {
      Metadata metadata = new Metadata();
      metadata.put(Metadata.Key.of("traceparent", Metadata.ASCII_STRING_MARSHALLER), SAMPLED);
      RateLimitServiceGrpc.RateLimitServiceBlockingStub traced =
          client.stub().withInterceptors(MetadataUtils.newAttachHeadersInterceptor(metadata));
      for (int i = 0; i < 2; i++) {
        traced.shouldRateLimit(RlsClient.request(RlsClient.about("user", "alice")).build());
      }
      client.ask(RlsClient.request(RlsClient.about("user", "bob")));
      String json = "{\"domain\": \"shop\", \"descriptors\": [{\"entries\": []}]}";
      served.postWith("/json", json, "Content-Type", "application/json", "traceparent", SAMPLED);
      Await.until("3 spans", Collector.LONG, () -> collector.spans.size() >= 3);
    }
    assertThat(collector.spans).hasSize(3);
    assertThat(Collector.attributes(collector.spans.get(0)))
        .isEqualTo(
            Map.of(
                "weir.outcome", "allowed",
                "weir.rule", "shop.user",
                "weir.remaining", "0",
                "weir.store", "embedded",
                "rpc.grpc.status_code", "0"));
    assertThat(Collector.attributes(collector.spans.get(1)))
        .containsEntry("weir.outcome", "denied");
    assertThat(collector.spans.get(2).getName()).isEqualTo("weir.json");
    assertThat(collector.spans).allMatch(span -> hex(span.getTraceId()).equals(TRACE));
    assertThat(collector.traces.toString()).doesNotContain("alice");
  }

  @Test
  void warmUpIsInNoTrace() {
    ServerSettings settings =
        collector
            .serverSettings(new SpanSampler(true, 1))
            .withWarmUp(java.time.Duration.ofSeconds(1));
    try (TestServer served = TestServer.with(RULES, settings)) {
      served.get("/v1/check/two");
    }
    assertThat(collector.awaitSpans(1)).hasSize(1);
  }
}
