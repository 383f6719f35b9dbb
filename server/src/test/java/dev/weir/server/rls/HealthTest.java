package dev.weir.server.rls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Ticker;
import dev.weir.domain.DomainBook;
import dev.weir.key.KeySpace;
import dev.weir.memory.MemoryStore;
import dev.weir.rule.RuleBook;
import dev.weir.server.access.OperationsAccess;
import dev.weir.server.transport.ByteBudget;
import io.grpc.Context;
import io.grpc.ManagedChannel;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Nobody is remembered who no longer watches. */
class HealthTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Vertx vertx = Vertx.vertx();
  private final KeySpace keys = KeySpace.random();
  private final MemoryStore store = new MemoryStore();
  private final RlsRules rules = RlsRules.of(DomainBook.EMPTY, RuleBook.of(List.of(), keys), keys);
  private final RlsService service =
      new RlsService(
          vertx,
          new RlsEngine(
              store,
              null,
              keys,
              Ticker.system(),
              RlsSettings.DEFAULT,
              RlsWatcher.NOBODY,
              (rule, outcome) -> {}),
          () -> rules,
          OperationsAccess.everybody());
  private final HttpServer server =
      vertx
          .createHttpServer()
          .requestHandler(request -> service.handle(request, new ByteBudget(1 << 20).share()))
          .listen(0, "127.0.0.1")
          .await();

  @AfterEach
  void stop() {
    vertx.close().await();
  }

  private ManagedChannel channel() {
    return NettyChannelBuilder.forAddress("127.0.0.1", server.actualPort()).usePlaintext().build();
  }

  private static void watch(ManagedChannel channel) {
    var answers =
        HealthGrpc.newBlockingStub(channel).watch(HealthCheckRequest.getDefaultInstance());
    assertThat(answers.next().getStatus()).isEqualTo(ServingStatus.SERVING);
  }

  private void awaitNoWatch() throws InterruptedException {
    long start = System.nanoTime();
    while (service.health().watching() > 0) {
      assertThat(System.nanoTime() - start).isLessThan(PATIENCE.toNanos());
      Thread.sleep(10);
    }
  }

  @Test
  void aWatchThatIsTakenBackIsForgotten() throws Exception {
    ManagedChannel channel = channel();
    Context.CancellableContext context = Context.current().withCancellation();
    context.run(() -> watch(channel));
    assertThat(service.health().watching()).isEqualTo(1);
    context.cancel(null);
    awaitNoWatch();
    channel.shutdownNow();
  }

  @Test
  void aWatchIsForgottenWithItsConnection() throws Exception {
    ManagedChannel channel = channel();
    watch(channel);
    watch(channel);
    assertThat(service.health().watching()).isEqualTo(2);
    channel.shutdownNow();
    assertThat(channel.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
    awaitNoWatch();
  }
}
