package dev.weir.server;

import static dev.weir.server.RlsClient.about;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Operation;
import dev.weir.Store;
import dev.weir.memory.MemoryStore;
import dev.weir.redis.RedisStore;
import dev.weir.redis.connection.RedisSettings;
import dev.weir.server.settings.ServerSettings;
import dev.weir.server.tls.Tls;
import dev.weir.server.warmup.Call;
import dev.weir.server.warmup.Http1Caller;
import dev.weir.testkit.TestCertificate;
import dev.weir.testkit.redis.RedisServer;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.vertx.core.json.JsonObject;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server calls itself before it is ready, without visible effects. */
@Timeout(300)
class WarmUpTest {
  private static final ServerSettings WARM =
      ServerSettings.DEFAULT.withWarmUp(Duration.ofSeconds(30));
  private static final String RULES =
      """
      rules:
        - {name: everything, limit: 100/day}
        - {name: api, match: {path: "/api/**"}, per: ip, limit: 50/day, algorithm: sliding-log}
        - {name: places, concurrent: 3}
      """;

  /** All request counters that are not zero. */
  private static Set<String> counted(PrometheusText metrics) {
    return metrics.types().keySet().stream()
        .filter(name -> name.matches("weir_(http|rls|decisions|requests)_?.*"))
        .filter(name -> metrics.sum(name) > 0 || metrics.sum(name + "_count") > 0)
        .collect(Collectors.toSet());
  }

  private static PrometheusText metrics(TestServer served) {
    return new PrometheusText(served.admin("GET", "/metrics", "").body());
  }

  @TempDir private Path directory = Path.of("");

  @Test
  void warmUpVerifiesSignaturesSoThatTheFirstTokenIsNotSlow() throws Exception {
    TestTokens tokens = new TestTokens(Instant.now());
    Path jwks = Files.writeString(directory.resolve("jwks.json"), tokens.jwks());
    String rules = "jwt: {jwks: \"%s\"}\nrules: [{name: each, per: jwt sub, limit: 9/day}]";
    try (SignatureWatch signatures = new SignatureWatch();
        TestServer served = TestServer.with(rules.formatted(jwks), WARM)) {
      assertThat(signatures.verifying()).as("before anybody asked").isNotEmpty();
      assertThat(signatures.verifying())
          .allMatch(one -> !one.getName().startsWith("vert.x-eventloop"));
      assertThat(counted(metrics(served))).isEmpty();
    }
  }

  /** Requests before readiness leave no trace either; the first one after it is counted first. */
  @Test
  void warmUpLeavesNoTraceInCountersAndMetrics() {
    try (TestServer served = TestServer.with(RULES, WARM);
        RlsClient rls = new RlsClient(served.server.grpcPort())) {
      PrometheusText before = metrics(served);
      assertThat(before.types()).containsKey("weir_http_requests_total");
      assertThat(counted(before)).isEmpty();

      assertThat(served.check("/api/x").headers().firstValue("X-RateLimit-Remaining"))
          .hasValue("49");
      rls.ask(about("a", "b"));
      PrometheusText after = metrics(served);
      assertThat(counted(after))
          .contains("weir_http_requests_total", "weir_decisions_total", "weir_rls_requests_total");
      assertThat(after.sum("weir_http_requests_total")).as("and one for metrics").isEqualTo(2);
      assertThat(after.sum("weir_decisions_total")).as("of two rules").isEqualTo(2);
      assertThat(after.sum("weir_rls_requests_total")).isEqualTo(1);
    }
  }

  @Test
  void warmUpLeavesNoCountersInRedis() {
    try (RedisServer redis = RedisServer.start();
        RedisStore store =
            RedisStore.connect(
                RedisSettings.parse("redis://127.0.0.1:%d?deadline=10s".formatted(redis.port())));
        TestServer served = TestServer.with(RULES, WARM, store)) {
      assertThat(store.calls()).isGreaterThan(100);
      assertThat(served.check("/other").statusCode()).isEqualTo(200);
      // The counter of that request, and the one of the health probe.
      assertThat(redis.command("DBSIZE")).isIn(1L, 2L);
    }
  }

  /** Waiting does not make a distant store faster; with a near one the warm-up ends at once. */
  @Test
  void distantStoreDoesNotDelayReadiness() {
    Executor later = CompletableFuture.delayedExecutor(20, TimeUnit.MILLISECONDS);
    MemoryStore memory = new MemoryStore();
    Store far =
        new Store() {
          @Override
          public Answer apply(Operation operation, List<Claim> claims) {
            return Answer.later(
                CompletableFuture.supplyAsync(() -> memory.apply(operation, claims).join(), later));
          }
        };
    try (TestServer served = TestServer.with(RULES, WARM.withWarmUp(Duration.ofMinutes(4)), far)) {
      assertThat(served.server.warmUp().orElseThrow().warm()).isTrue();
    }
  }

  /** Log collectors may support ASCII only. */
  @Test
  void warmUpTimeoutIsLoggedInAscii() {
    try (LogLines log = new LogLines(WarmUp.class);
        TestServer served = TestServer.with(RULES, WARM.withWarmUp(Duration.ofMillis(1)))) {
      assertThat(served.server.warmUp().orElseThrow().warm()).isFalse();
      assertThat(log.lines)
          .singleElement()
          .asString()
          .matches("WARNING Not warm within [ -~]+ rounds in \\d+ ms, [ -~]+ us");
    }
  }

  @Test
  void clientCannotPassForWarmUp() throws Exception {
    try (WarmingServer warming =
            new WarmingServer("rules: [{name: all, limit: 1/day}]", ServerSettings.DEFAULT);
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), warming.port);
        Http1Caller client = new Http1Caller(socket)) {
      Call own = Call.get("/v1/check/weir-warm-up/one", Map.of("x-weir-warm-up", "1"));
      client.send(own);
      assertThat(client.receive()).isEqualTo(200);
      client.send(own);
      assertThat(client.receive()).isEqualTo(429);
      assertThat(warming.end().check("/").statusCode()).as("counted like any").isEqualTo(429);
    }
  }

  @Test
  void serverIsNotReadyBeforeItIsWarm() throws Exception {
    try (WarmingServer warming = new WarmingServer(RULES, ServerSettings.DEFAULT);
        RlsClient rls = new RlsClient(warming.grpcPort);
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), warming.port);
        Http1Caller client = new Http1Caller(socket)) {
      HealthGrpc.HealthBlockingStub health = HealthGrpc.newBlockingStub(rls.channel);
      HealthCheckRequest asked = HealthCheckRequest.getDefaultInstance();
      client.send(Call.get("/readyz", Map.of()));
      assertThat(client.receive()).isEqualTo(503);
      client.send(Call.get("/healthcheck", Map.of()));
      assertThat(client.receive()).isEqualTo(500);
      assertThat(health.check(asked).getStatus()).isEqualTo(ServingStatus.NOT_SERVING);
      TestServer served = warming.end();
      assertThat(served.get("/readyz").statusCode()).isEqualTo(200);
      assertThat(served.get("/healthcheck").statusCode()).isEqualTo(200);
      assertThat(health.check(asked).getStatus()).isEqualTo(ServingStatus.SERVING);
    }
  }

  @Test
  void serverStoppedDuringWarmUpNeverBecomesReadyAndDoesNotDrain() throws Exception {
    ServerSettings drainsLong = ServerSettings.DEFAULT.withDrain(Duration.ofHours(1));
    try (WarmingServer warming = new WarmingServer(RULES, drainsLong)) {
      TestServer served = warming.stop();
      assertThat(served.server.warmUp().orElseThrow().warm()).isFalse();
      assertThat(served.get("/readyz").statusCode()).isEqualTo(503);
    }
  }

  @Test
  void warmUpCallsPassTlsAndClientCertificates() throws Exception {
    try (TestServer served = TestServer.with(RULES, WARM)) {
      JsonObject body = new JsonObject(served.get("/readyz").body());
      assertThat(body.getBoolean("ready")).isTrue();
      assertThat(served.server.warmUp().orElseThrow().failure()).isNull();
      assertThat(served.server.warmUp().orElseThrow().rounds()).isPositive();
    }
    TestCertificate made = TestCertificate.make(directory, "server", "EC");
    for (Tls.@Nullable Clients clients :
        new Tls.@Nullable Clients[] {null, new Tls.Clients(made.certificate(), "")}) {
      Tls tls = new Tls(made.certificate(), made.key(), clients);
      try (TestServer served = TestServer.with(RULES, WARM.withTls(tls))) {
        assertThat(served.server.warmUp().orElseThrow().failure()).isNull();
      }
    }
    try (TestServer served = TestServer.with(RULES, WARM.withWarmUp(Duration.ZERO))) {
      assertThat(served.server.warmUp()).isEmpty();
    }
  }
}
