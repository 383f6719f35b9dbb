package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Operation;
import dev.weir.Store;
import dev.weir.StoreFailure;
import dev.weir.server.log.LogFormat;
import dev.weir.server.settings.ServerSettings;
import dev.weir.server.settings.TelemetrySettings;
import dev.weir.testkit.redis.Await;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The logs of requests with hostile clients, floods and a folder instead of a file. */
class RequestLogsTroubleTest extends RequestLogsFixture {
  @Test
  void garbageInPathsStaysOnItsLine() throws Exception {
    List<String> odd =
        List.of(
            "/a%0d%0aoutcome=allowed",
            "/\u00c3\u00a4\u0080\u009b",
            "/\"},{\"rule\":\"forged\"",
            "/a\tb",
            "/" + "x".repeat(3_000),
            "/..%2f..%2fetc/passwd;a=b");
    try (TestServer served = start()) {
      for (String path : odd) {
        try (RawClient client = new RawClient(served.server.port(), LONG_MILLIS)) {
          client.send(request(path));
          client.read(false);
        }
      }
    }
    List<String> raw = Files.readAllLines(access());
    assertThat(raw).hasSizeBetween(1, odd.size()).allMatch(line -> line.matches("[ -~]*"));
    assertThat(lines(access()))
        .allMatch(line -> line.getString("path").length() <= 1_027)
        .allMatch(line -> line.getString("rule") == null);
  }

  private static byte[] request(String path) {
    String text = "GET /v1/check" + path + " HTTP/1.1\r\nHost: a\r\n\r\n";
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  /** A store that answers when it is released. */
  private static final class HangingStore implements Store {
    final AtomicInteger requests = new AtomicInteger();
    private final CompletableFuture<Decision> answer = new CompletableFuture<>();

    @Override
    public Answer apply(Operation operation, List<Claim> claims) {
      requests.incrementAndGet();
      return Answer.later(answer);
    }

    void release() {
      answer.completeExceptionally(new StoreFailure(StoreFailure.Effect.NONE, "gone", null));
    }
  }

  @Test
  void clientThatLeavesBeforeTheAnswerIsALine() throws Exception {
    HangingStore store = new HangingStore();
    try (TestServer served = start(store)) {
      try (RawClient client = new RawClient(served.server.port(), LONG_MILLIS)) {
        client.send(request("/two"));
        Await.until("a request", Collector.LONG, () -> store.requests.get() == 1);
      }
      Await.until("a line", Collector.LONG, () -> lines(access()).size() == 1);
      store.release();
    }
    assertThat(stable(access()))
        .containsExactly(
            "{\"endpoint\":\"check\",\"method\":\"GET\",\"path\":\"/two\","
                + "\"outcome\":\"client-gone\"}");
  }

  @Test
  void floodOfDenialsIsSampledAndCounted() {
    ServerSettings settings = settings(LogFormat.JSON, false, 1);
    double suppressed;
    try (TestServer served = TestServer.with(RULES, settings)) {
      for (int i = 0; i < 50; i++) {
        served.check("/bad");
      }
      PrometheusText metrics = new PrometheusText(served.admin("GET", "/metrics", "").body());
      suppressed = metrics.value("weir_denial_log_suppressed_total");
      assertThat(metrics.value("weir_denial_log_dropped_total")).isZero();
      assertThat(metrics.value("weir_access_log_dropped_total")).isZero();
    }
    assertThat(suppressed).isPositive();
    assertThat(lines(denials()).size() + suppressed).isEqualTo(50);
    assertThat(lines(access())).hasSize(50);
  }

  @Test
  void logThatCannotBeWrittenStopsTheStart() {
    TelemetrySettings telemetry =
        TelemetrySettings.OFF.withAccessLog(Optional.of(folder.toString()), false);
    assertThatThrownBy(
            () -> TestServer.with(RULES, ServerSettings.DEFAULT.withTelemetry(telemetry)))
        .isInstanceOf(UncheckedIOException.class);
  }
}
