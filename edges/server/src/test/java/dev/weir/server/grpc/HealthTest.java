package dev.weir.server.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.key.KeySpace;
import dev.weir.limiter.Limiter;
import dev.weir.memory.MemoryStore;
import dev.weir.rule.book.RuleBook;
import dev.weir.rules.domain.DescriptorRules;
import dev.weir.rules.domain.DomainBook;
import dev.weir.server.access.OperationsAccess;
import dev.weir.server.rls.RlsEngine;
import dev.weir.server.rls.RlsListener;
import dev.weir.server.rls.RlsSettings;
import dev.weir.server.telemetry.Telemetry;
import dev.weir.server.transport.ByteBudget;
import dev.weir.time.Ticker;
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

/** Watches that have ended are removed. */
class HealthTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private final Vertx vertx = Vertx.vertx();
  private final KeySpace keys = KeySpace.random();
  private final MemoryStore store = new MemoryStore();
  private final DescriptorRules rules =
      DescriptorRules.of(DomainBook.EMPTY, RuleBook.of(List.of(), keys));
  private final RlsService service =
      new RlsService(
          vertx,
          new RlsEngine(
              new Limiter(store, (rule, outcome, subject) -> {}),
              keys,
              Ticker.system(),
              RlsSettings.DEFAULT,
              RlsListener.NOOP),
          () -> rules,
          OperationsAccess.everybody(),
          Telemetry.NONE);
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
      assertThat(System.nanoTime() - start).isLessThan(TIMEOUT.toNanos());
      Thread.sleep(10);
    }
  }

  @Test
  void cancelledWatchIsRemoved() throws Exception {
    ManagedChannel channel = channel();
    Context.CancellableContext context = Context.current().withCancellation();
    context.run(() -> watch(channel));
    assertThat(service.health().watching()).isEqualTo(1);
    context.cancel(null);
    awaitNoWatch();
    channel.shutdownNow();
  }

  @Test
  void watchIsRemovedWithItsConnection() throws Exception {
    ManagedChannel channel = channel();
    watch(channel);
    watch(channel);
    assertThat(service.health().watching()).isEqualTo(2);
    channel.shutdownNow();
    assertThat(channel.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
    awaitNoWatch();
  }
}
