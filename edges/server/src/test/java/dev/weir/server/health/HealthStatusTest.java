package dev.weir.server.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.key.KeySpace;
import dev.weir.limiter.Limiter;
import dev.weir.memory.MemoryStore;
import dev.weir.rules.RulesLoader;
import dev.weir.rules.RulesRegistry;
import dev.weir.rules.domain.DomainBook;
import dev.weir.server.RlsClient;
import dev.weir.server.access.OperationsAccess;
import dev.weir.server.grpc.RlsService;
import dev.weir.server.metrics.ServerStatus;
import dev.weir.server.rls.RlsEngine;
import dev.weir.server.rls.RlsListener;
import dev.weir.server.rls.RlsSettings;
import dev.weir.server.telemetry.Telemetry;
import dev.weir.server.transport.ByteBudget;
import dev.weir.time.Ticker;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.vertx.core.Vertx;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The health status from the start, before the warm-up. */
class HealthStatusTest {
  private final Vertx vertx = Vertx.vertx();
  private final KeySpace keys = KeySpace.random();
  private final RulesRegistry rules =
      new RulesRegistry(new RulesLoader(keys, Map.of()), InstantSource.system());
  private final ServerStatus status =
      new ServerStatus(() -> DomainBook.EMPTY, () -> 1, () -> 0, () -> 0, Optional.empty());
  private final RlsService service =
      new RlsService(
          vertx,
          new RlsEngine(
              new Limiter(new MemoryStore(), (rule, outcome, subject) -> {}),
              keys,
              Ticker.system(),
              RlsSettings.DEFAULT,
              RlsListener.NOOP),
          () -> rules.current().descriptorRules(),
          OperationsAccess.everybody(),
          Telemetry.NONE);

  @AfterEach
  void stop() {
    vertx.close().await();
    rules.close();
  }

  private HealthStatus health(boolean warm) {
    RlsSettings.Health noConditions = new RlsSettings.Health(false, false, false);
    HealthStatus health = new HealthStatus(noConditions, () -> true, rules, status, warm);
    health.publish(service, vertx);
    return health;
  }

  /** The status that a gRPC health check returns. */
  private ServingStatus grpcStatus() {
    int port =
        vertx
            .createHttpServer()
            .requestHandler(request -> service.handle(request, new ByteBudget(1 << 20).share()))
            .listen(0, "127.0.0.1")
            .await()
            .actualPort();
    try (RlsClient client = new RlsClient(port)) {
      return HealthGrpc.newBlockingStub(client.channel)
          .check(HealthCheckRequest.getDefaultInstance())
          .getStatus();
    }
  }

  @Test
  void serverIsUnhealthyUntilWarm() {
    HealthStatus health = health(false);
    assertThat(health.isHealthy()).isFalse();
    assertThat(grpcStatus()).isEqualTo(ServingStatus.NOT_SERVING);
    health.setWarm(service);
    assertThat(health.isHealthy()).isTrue();
    assertThat(grpcStatus()).isEqualTo(ServingStatus.SERVING);
  }

  @Test
  void serverWithoutWarmUpIsHealthyAtOnce() {
    assertThat(health(true).isHealthy()).isTrue();
    assertThat(grpcStatus()).isEqualTo(ServingStatus.SERVING);
  }
}
