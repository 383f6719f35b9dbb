package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Store;
import dev.weir.memory.MemoryStore;
import dev.weir.operation.Operation;
import dev.weir.operation.UniformStore;
import dev.weir.redis.RedisSettings;
import dev.weir.redis.RedisStore;
import dev.weir.server.warmup.Call;
import dev.weir.server.warmup.Http1Caller;
import dev.weir.testkit.TestCertificate;
import dev.weir.testkit.redis.RedisServer;
import io.vertx.core.json.JsonObject;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server calls itself before it is ready, and nobody can tell afterwards. */
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

  @TempDir private Path directory = Path.of("");

  @Test
  void leavesNoTraceInCountersAndMetrics() {
    try (Served served = Served.with(RULES, WARM)) {
      assertThat(served.get("/readyz").statusCode()).isEqualTo(200);
      String metrics = served.admin("GET", "/metrics", "").body();
      assertThat(metrics.lines().filter(line -> line.startsWith("weir_decisions_total")))
          .allMatch(line -> line.endsWith(" 0.0") || line.endsWith(" 0"));
      assertThat(metrics).doesNotContain("weir-warm-up");
      assertThat(served.check("/api/x").headers().firstValue("X-RateLimit-Remaining"))
          .hasValue("49");
    }
  }

  @Test
  void leavesNoCountersInRedis() {
    try (RedisServer redis = RedisServer.start();
        RedisStore store =
            RedisStore.connect(
                RedisSettings.parse("redis://127.0.0.1:%d?deadline=10s".formatted(redis.port())));
        Served served = Served.with(RULES, WARM, store)) {
      assertThat(store.calls()).isGreaterThan(100);
      assertThat(served.check("/other").statusCode()).isEqualTo(200);
      // The one counter of that request, and the one by which the store is probed.
      assertThat(redis.command("DBSIZE")).isIn(1L, 2L);
    }
  }

  /** It does not come nearer by waiting: one that answers at once would be there in no time. */
  @Test
  void aStoreThatIsFarAwayDoesNotHoldUpReadiness() {
    Executor later = CompletableFuture.delayedExecutor(20, TimeUnit.MILLISECONDS);
    MemoryStore memory = new MemoryStore();
    Store far =
        new UniformStore() {
          @Override
          protected Answer ask(Operation operation, List<Claim> claims) {
            return Answer.later(
                CompletableFuture.supplyAsync(() -> operation.on(memory, claims).join(), later));
          }
        };
    try (Served served = Served.with(RULES, WARM.withWarmUp(Duration.ofMinutes(4)), far)) {
      assertThat(served.server.warmUp().orElseThrow().warm()).isTrue();
    }
  }

  /** Whoever collects logs may know no other letters. */
  @Test
  void thatItTookTooLongIsToldInAscii() {
    try (LogLines log = new LogLines(WarmUp.class);
        Served served = Served.with(RULES, WARM.withWarmUp(Duration.ofMillis(1)))) {
      assertThat(served.server.warmUp().orElseThrow().warm()).isFalse();
      assertThat(log.lines)
          .singleElement()
          .asString()
          .matches("WARNING Not warm within [ -~]+ rounds in \\d+ ms, [ -~]+ us");
    }
  }

  @Test
  void aClientCannotPassForIt() throws Exception {
    try (Served served = Served.with("rules: [{name: all, limit: 1/day}]", WARM);
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), served.server.port());
        Http1Caller client = new Http1Caller(socket)) {
      Call own = Call.get("/v1/check/weir-warm-up/one", Map.of("x-weir-warm-up", "1"));
      client.send(own);
      assertThat(client.receive()).isEqualTo(200);
      client.send(own);
      assertThat(client.receive()).isEqualTo(429);
    }
  }

  @Test
  void callsArriveWithTlsAndWhereClientsNeedACertificate() throws Exception {
    try (Served served = Served.with(RULES, WARM)) {
      JsonObject body = new JsonObject(served.get("/readyz").body());
      assertThat(body.getBoolean("ready")).isTrue();
      assertThat(served.server.warmUp().orElseThrow().failure()).isNull();
      assertThat(served.server.warmUp().orElseThrow().rounds()).isPositive();
    }
    TestCertificate made = TestCertificate.make(directory, "server", "EC");
    for (Tls.@Nullable Clients clients :
        new Tls.@Nullable Clients[] {null, new Tls.Clients(made.certificate(), "")}) {
      Tls tls = new Tls(made.certificate(), made.key(), clients);
      try (Served served = Served.with(RULES, WARM.withTls(tls))) {
        assertThat(served.server.warmUp().orElseThrow().failure()).isNull();
      }
    }
    try (Served served = Served.with(RULES, WARM.withWarmUp(Duration.ZERO))) {
      assertThat(served.server.warmUp()).isEmpty();
    }
  }
}
