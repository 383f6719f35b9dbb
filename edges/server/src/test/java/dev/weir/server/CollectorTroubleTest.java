package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.settings.ServerSettings;
import dev.weir.server.telemetry.SpanSampler;
import dev.weir.testkit.Ports;
import dev.weir.testkit.redis.Await;
import io.opentelemetry.proto.collector.trace.v1.ExportTracePartialSuccess;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceResponse;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A collector that is slow, broken or away takes nothing from those who ask. */
class CollectorTroubleTest {
  private static final String RULES =
      "rules: [{name: two, match: {path: /two}, limit: 2/day, algorithm: fixed-window}]";
  private static final SpanSampler ALL = new SpanSampler(false, 1);

  private final Collector collector = new Collector();

  @AfterEach
  void close() {
    collector.close();
  }

  private static PrometheusText metrics(TestServer served) {
    return new PrometheusText(served.admin("GET", "/metrics", "").body());
  }

  private static double spans(PrometheusText metrics, String outcome) {
    return metrics.value("weir_otlp_spans_total", "outcome", outcome);
  }

  private static void awaitSpans(TestServer served, String outcome, int count) {
    Await.until(
        count + " spans " + outcome,
        Collector.LONG,
        () -> spans(metrics(served), outcome) >= count);
  }

  private static void awaitFailure(TestServer served, String signal) {
    Await.until(
        "no " + signal,
        Collector.LONG,
        () ->
            metrics(served).value("weir_otlp_exports_total", "signal", signal, "outcome", "failed")
                > 0);
  }

  /** Two pass, and the rest is denied, as if there were no collector at all. */
  private static void checkDecisions(TestServer served, int requests) {
    for (int i = 0; i < requests; i++) {
      HttpResponse<String> response = served.check("/two");
      assertThat(response.statusCode()).isEqualTo(i < 2 ? 200 : 429);
    }
  }

  @Test
  void collectorThatIsAwayChangesNoDecision() {
    ServerSettings settings = Collector.with(Collector.settings(Ports.free(), ALL));
    try (TestServer served = TestServer.with(RULES, settings)) {
      checkDecisions(served, 20);
      awaitFailure(served, "metrics");
      awaitFailure(served, "traces");
    }
  }

  @Test
  void collectorThatHangsChangesNoDecisionAndMemoryStaysBounded() {
    collector.hangs = true;
    try (TestServer served = TestServer.with(RULES, collector.serverSettings(ALL))) {
      checkDecisions(served, 20);
      String body = manyRequests();
      // More than the queue and the batch that is on its way hold, within several seconds.
      Await.until(
          "dropped spans",
          Collector.LONG,
          () -> {
            assertThat(served.post("/v1/decide", body).statusCode()).isEqualTo(200);
            return spans(metrics(served), "dropped") > 0;
          });
      assertThat(collector.spans).isEmpty();
    }
  }

  /** As many requests in a body as are allowed: each has a span. */
  private static String manyRequests() {
    StringBuilder body = new StringBuilder("{\"requests\": [");
    for (int i = 0; i < 100; i++) {
      body.append(i == 0 ? "" : ",").append("{\"values\": {\"path\": \"/two\"}}");
    }
    return body.append("]}").toString();
  }

  @ParameterizedTest
  @ValueSource(ints = {429, 502, 503, 504})
  void spansThatACollectorHasNoTimeForAreSentAgain(int status) {
    collector.status = status;
    try (TestServer served = TestServer.with(RULES, collector.serverSettings(ALL))) {
      checkDecisions(served, 3);
      awaitFailure(served, "traces");
      assertThat(collector.spans).isEmpty();
      collector.status = 200;
      awaitSpans(served, "sent", 3);
    }
    assertThat(collector.spans).hasSize(3);
  }

  @ParameterizedTest
  @ValueSource(ints = {301, 400, 404, 500})
  void spansThatACollectorDoesNotWantAreGivenUp(int status) {
    collector.status = status;
    try (TestServer served = TestServer.with(RULES, collector.serverSettings(ALL))) {
      checkDecisions(served, 3);
      awaitSpans(served, "failed", 3);
      collector.status = 200;
      checkStillSends(served);
    }
  }

  private void checkStillSends(TestServer served) {
    served.check("/two");
    awaitSpans(served, "sent", 1);
    assertThat(collector.awaitSpans(1)).hasSize(1);
  }

  @Test
  void spansThatACollectorRejectsAreCounted() {
    collector.body =
        ExportTraceServiceResponse.newBuilder()
            .setPartialSuccess(
                ExportTracePartialSuccess.newBuilder()
                    .setRejectedSpans(2)
                    .setErrorMessage("too old"))
            .build()
            .toByteArray();
    try (TestServer served = TestServer.with(RULES, collector.serverSettings(ALL))) {
      served.decide("{\"requests\": [{\"values\": {}}, {\"values\": {}}, {\"values\": {}}]}");
      awaitSpans(served, "failed", 2);
      assertThat(spans(metrics(served), "sent")).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"<html>", "\u00ff\u00ff\u00ff\u00ff"})
  void answerThatIsNoOtlpDoesNoHarm(String body) {
    collector.body = body.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
    try (TestServer served = TestServer.with(RULES, collector.serverSettings(ALL))) {
      checkStillSends(served);
    }
  }

  @Test
  void endlessAnswerIsNotKept() {
    collector.body = new byte[32 << 20];
    try (TestServer served = TestServer.with(RULES, collector.serverSettings(ALL))) {
      checkStillSends(served);
    }
  }

  @Test
  void stopDoesNotWaitForACollectorThatHangs() {
    collector.hangs = true;
    try (TestServer served = TestServer.with(RULES, collector.serverSettings(ALL))) {
      checkDecisions(served, 3);
    }
    assertThat(collector.spans).isEmpty();
  }
}
