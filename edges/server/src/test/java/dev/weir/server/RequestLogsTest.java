package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Operation;
import dev.weir.Store;
import dev.weir.StoreFailure;
import dev.weir.memory.MemoryStore;
import dev.weir.rules.domain.DomainBook;
import dev.weir.rules.domain.TestDomains;
import dev.weir.rules.domain.Unit;
import dev.weir.server.log.LogFormat;
import dev.weir.server.settings.ServerSettings;
import dev.weir.server.settings.TelemetrySettings;
import dev.weir.testkit.redis.Await;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The access log and the log of denials of a server. */
class RequestLogsTest {
  private static final int LONG_MILLIS = 60_000;
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String RULES =
      """
      identity: {user: header x-user}
      rules:
        - {name: two, match: {path: /two}, per: user, limit: 2/day, algorithm: fixed-window}
        - {name: bad ones, match: {path: /bad}, limit: blocked}
        - {name: store, match: {path: /deny}, limit: 13/day, when-store-fails: deny}
        - {name: dark, match: {path: /dark}, limit: 1/day, shadow: true}
      """;

  @TempDir private Path folder = Path.of("");

  private Path access() {
    return folder.resolve("access.log");
  }

  private Path denials() {
    return folder.resolve("denials.log");
  }

  private ServerSettings settings(LogFormat format, boolean queries, int denialsPerSecond) {
    return ServerSettings.DEFAULT.withTelemetry(
        new TelemetrySettings(
            Optional.of(access().toString()),
            queries,
            Optional.of(denials().toString()),
            denialsPerSecond,
            format,
            Optional.empty()));
  }

  private TestServer start(Store store) {
    return TestServer.with(RULES, settings(LogFormat.JSON, false, 1_000), store);
  }

  private TestServer start() {
    return start(new MemoryStore());
  }

  private static List<JsonObject> lines(Path file) {
    try {
      return Files.readAllLines(file).stream().map(JsonObject::new).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A line without what differs from run to run. */
  private static String stable(JsonObject line) {
    JsonObject copy = line.copy();
    assertThat(String.valueOf(copy.remove("time")))
        .matches("20\\d\\d-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z");
    Object micros = copy.remove("micros");
    assertThat(micros == null || ((Number) micros).longValue() >= 0).isTrue();
    return copy.encode();
  }

  private static List<String> stable(Path file) {
    return lines(file).stream().map(RequestLogsTest::stable).toList();
  }

  @Test
  void eachCheckIsALine() {
    try (TestServer served = start()) {
      served.get(
          "/v1/check/two?token=secret", "traceparent", "00-" + TRACE + "-00f067aa0ba902b7-00");
      served.get("/v1/check", TestServer.forwardedHeaders("/bad?x"));
      served.check("/free");
      served.check("/dark");
      served.check("/dark");
      served.get("/v1/check");
      served.get("/healthz");
    }
    assertThat(stable(access()))
        .containsExactly(
            "{\"endpoint\":\"check\",\"method\":\"GET\",\"path\":\"/two\",\"status\":200,"
                + "\"outcome\":\"allowed\",\"rule\":\"two\",\"traceId\":\""
                + TRACE
                + "\"}",
            "{\"endpoint\":\"check\",\"method\":\"GET\",\"path\":\"/bad\",\"status\":429,"
                + "\"outcome\":\"blocked\",\"rule\":\"bad ones\"}",
            "{\"endpoint\":\"check\",\"method\":\"GET\",\"path\":\"/free\",\"status\":200,"
                + "\"outcome\":\"allowed\"}",
            "{\"endpoint\":\"check\",\"method\":\"GET\",\"path\":\"/dark\",\"status\":200,"
                + "\"outcome\":\"allowed\"}",
            "{\"endpoint\":\"check\",\"method\":\"GET\",\"path\":\"/dark\",\"status\":200,"
                + "\"outcome\":\"allowed\"}",
            "{\"endpoint\":\"check\",\"method\":\"GET\",\"path\":\"/v1/check\",\"status\":400,"
                + "\"outcome\":\"refused\"}");
  }

  @Test
  void denialNamesItsRuleAndTheHashOfItsCaller() {
    try (TestServer served = start()) {
      for (int i = 0; i < 4; i++) {
        served.get("/v1/check/two?q", "X-User", "alice");
        served.get("/v1/check/two?q", "X-User", "bob");
      }
      served.check("/bad");
    }
    List<JsonObject> lines = lines(denials());
    assertThat(lines).hasSize(5);
    String alice = lines.get(0).getString("caller");
    assertThat(alice).matches("[0-9a-f]{16}").isEqualTo(lines.get(2).getString("caller"));
    assertThat(lines.get(1).getString("caller")).matches("[0-9a-f]{16}").isNotEqualTo(alice);
    assertThat(lines.get(0).getLong("retryAfterMillis")).isBetween(1L, 86_400_000L);
    assertThat(lines.get(0).getString("rule")).isEqualTo("two");
    assertThat(lines.get(0).getString("path")).isEqualTo("/two");
    assertThat(stable(lines.get(4)))
        .isEqualTo(
            "{\"endpoint\":\"check\",\"method\":\"GET\",\"path\":\"/bad\",\"outcome\":\"blocked\","
                + "\"rule\":\"bad ones\"}");
    assertThat(lines.toString()).doesNotContain("bob").doesNotContain("alice");
  }

  @Test
  void decisionsOfABodyAreALineEach() {
    String body =
        """
        {"requests": [{"values": {"method": "PUT", "path": "/two?token=secret"}},
          {"operation": "peek", "values": {"path": "/bad"}}, {"values": {"path": "/bad"}}]}
        """;
    try (TestServer served = start()) {
      served.decide(body);
      served.post("/v1/decide", "{\"values\": {\"path\": \"/two\"}, \"operation\": \"rob\"}");
      served.postWith("/v1/decide", "{}", "Content-Type", "text/plain");
    }
    assertThat(stable(access()))
        .containsExactly(
            "{\"endpoint\":\"decide\",\"method\":\"PUT\",\"path\":\"/two\",\"status\":200,"
                + "\"outcome\":\"allowed\",\"rule\":\"two\"}",
            "{\"endpoint\":\"decide\",\"operation\":\"peek\",\"path\":\"/bad\",\"status\":200,"
                + "\"outcome\":\"blocked\",\"rule\":\"bad ones\"}",
            "{\"endpoint\":\"decide\",\"path\":\"/bad\",\"status\":200,\"outcome\":\"blocked\","
                + "\"rule\":\"bad ones\"}",
            "{\"endpoint\":\"decide\",\"method\":\"POST\",\"path\":\"/v1/decide\",\"status\":400,"
                + "\"outcome\":\"refused\"}",
            "{\"endpoint\":\"decide\",\"method\":\"POST\",\"path\":\"/v1/decide\",\"status\":415,"
                + "\"outcome\":\"refused\"}");
    assertThat(lines(denials())).as("a peek denies nobody").hasSize(1);
  }

  @Test
  void callsOfEnvoyAreLinesToo() {
    DomainBook domains = TestDomains.book("shop", TestDomains.at("user").per(1, Unit.DAY));
    try (TestServer served =
            TestServer.with(
                RULES, settings(LogFormat.JSON, false, 10), new MemoryStore(), domains);
        RlsClient client = new RlsClient(served.server.grpcPort())) {
      client.ask(RlsClient.request(RlsClient.about("user", "alice")));
      client.ask(RlsClient.request(RlsClient.about("user", "alice")));
      client.refused(RlsClient.request());
      String json =
          "{\"domain\": \"shop\", \"descriptors\":"
              + " [{\"entries\": [{\"key\": \"user\", \"value\": \"alice\"}]}]}";
      served.post("/json", json);
      Await.until("4 lines", Collector.LONG, () -> lines(access()).size() == 4);
    }
    String call =
        "{\"endpoint\":\"rls\",\"method\":\"POST\","
            + "\"path\":\"/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit\",";
    assertThat(stable(access()))
        .containsExactly(
            call + "\"status\":0,\"outcome\":\"allowed\",\"rule\":\"shop.user\"}",
            call + "\"status\":0,\"outcome\":\"denied\",\"rule\":\"shop.user\"}",
            call + "\"status\":3,\"outcome\":\"refused\"}",
            "{\"endpoint\":\"json\",\"method\":\"POST\",\"path\":\"/json\",\"status\":429,"
                + "\"outcome\":\"denied\",\"rule\":\"shop.user\"}");
    List<JsonObject> denied = lines(denials());
    assertThat(denied).hasSize(2);
    assertThat(denied.get(0).getString("caller"))
        .matches("[0-9a-f]{16}")
        .isEqualTo(denied.get(1).getString("caller"));
    assertThat(denied.toString()).doesNotContain("alice");
  }

  @Test
  void outageIsInBothLogs() {
    FaultyStore store = new FaultyStore();
    store.gone = true;
    try (TestServer served = start(store)) {
      served.check("/deny");
      served.check("/two");
    }
    assertThat(stable(access()))
        .containsExactly(
            "{\"endpoint\":\"check\",\"method\":\"GET\",\"path\":\"/deny\",\"status\":503,"
                + "\"outcome\":\"unanswered\",\"rule\":\"store\",\"degraded\":\"deny\"}",
            "{\"endpoint\":\"check\",\"method\":\"GET\",\"path\":\"/two\",\"status\":200,"
                + "\"outcome\":\"allowed\",\"rule\":\"two\",\"degraded\":\"local\"}");
    assertThat(lines(denials()).get(0).getString("rule")).isEqualTo("store");
  }

  @Test
  void shedRequestIsNoDenialByARule() {
    String rules = "shedding: {capacity: 1}\nrules: [{name: all, limit: 9/second}]\n";
    try (TestServer served = TestServer.with(rules, settings(LogFormat.JSON, false, 10))) {
      served.decide("{\"values\": {\"path\": \"/x\"}, \"load\": {\"inFlight\": 900}}");
    }
    assertThat(stable(access()))
        .containsExactly(
            "{\"endpoint\":\"decide\",\"path\":\"/x\",\"status\":200,\"outcome\":\"shed\"}");
    assertThat(lines(denials())).isEmpty();
  }

  @Test
  void queryIsWrittenOnlyIfItIsWanted() throws IOException {
    try (TestServer served = TestServer.with(RULES, settings(LogFormat.TEXT, true, 10))) {
      served.check("/two?a=b%20c");
    }
    assertThat(Files.readString(access()))
        .matches(
            "\\S+Z endpoint=check method=GET path=\"/two\\?a=b%20c\" status=200"
                + " outcome=allowed rule=two micros=\\d+\n");
  }

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
