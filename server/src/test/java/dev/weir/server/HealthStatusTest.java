package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Ticker;
import dev.weir.domain.DomainBook;
import dev.weir.key.KeySpace;
import dev.weir.memory.MemoryStore;
import dev.weir.server.rls.RlsEngine;
import dev.weir.server.rls.RlsService;
import dev.weir.server.rls.RlsSettings;
import dev.weir.server.rls.RlsWatcher;
import dev.weir.server.stats.Surroundings;
import dev.weir.server.transport.ByteBudget;
import dev.weir.yaml.RuleBoard;
import dev.weir.yaml.RulesLoader;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.vertx.core.Vertx;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What health says from the very first moment on, before anybody has warmed up anything. */
class HealthStatusTest {
  private final Vertx vertx = Vertx.vertx();
  private final KeySpace keys = KeySpace.random();
  private final RuleBoard rules =
      new RuleBoard(new RulesLoader(keys, Map.of()), InstantSource.system());
  private final Surroundings around =
      new Surroundings(() -> DomainBook.EMPTY, () -> 1, () -> 0, () -> 0, Optional.empty());
  private final RlsService service =
      new RlsService(
          vertx,
          new RlsEngine(
              new MemoryStore(),
              null,
              keys,
              Ticker.system(),
              RlsSettings.DEFAULT,
              RlsWatcher.NOBODY,
              (rule, outcome) -> {}),
          new Domains(live -> DomainBook.EMPTY, keys).rules(rules::current));

  @AfterEach
  void stop() {
    vertx.close().await();
    rules.close();
  }

  private HealthStatus health(boolean warm) {
    RlsSettings.Health waitsForNothing = new RlsSettings.Health(false, false, false);
    HealthStatus health = new HealthStatus(waitsForNothing, () -> true, rules, around, warm);
    health.tell(service, vertx);
    return health;
  }

  /** What whoever asks over gRPC is told. */
  private ServingStatus told() {
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
  void aServerThatIsToWarmUpDoesNotServeBefore() {
    HealthStatus health = health(false);
    assertThat(health.isHealthy()).isFalse();
    assertThat(told()).isEqualTo(ServingStatus.NOT_SERVING);
    health.setWarm(service);
    assertThat(health.isHealthy()).isTrue();
    assertThat(told()).isEqualTo(ServingStatus.SERVING);
  }

  @Test
  void aServerThatNeedNotWarmUpServesAtOnce() {
    assertThat(health(true).isHealthy()).isTrue();
    assertThat(told()).isEqualTo(ServingStatus.SERVING);
  }
}
