package dev.weir.server.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import dev.weir.envoy.service.ratelimit.v3.RateLimitRequest;
import dev.weir.key.KeySpace;
import dev.weir.limiter.Limiter;
import dev.weir.memory.MemoryStore;
import dev.weir.rule.book.RuleBook;
import dev.weir.rules.domain.DescriptorRules;
import dev.weir.rules.domain.DomainBook;
import dev.weir.rules.domain.DomainRule;
import dev.weir.server.access.OperationsAccess;
import dev.weir.server.rls.RlsEngine;
import dev.weir.server.rls.RlsListener;
import dev.weir.server.rls.RlsSettings;
import dev.weir.server.telemetry.Telemetry;
import dev.weir.server.transport.ByteBudget;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpVersion;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The duration of a call is measured from the arrival of its headers. */
class CallDurationTest {
  private static final long START_MICROS = 1_800_000_000_000_000L;
  private static final int PREFIX = 5;

  private final AtomicLong nowMicros = new AtomicLong(START_MICROS);
  private final AtomicLong tookMicros = new AtomicLong(-1);
  private final CountDownLatch arrived = new CountDownLatch(1);
  private final Vertx vertx = Vertx.vertx();

  private final RlsListener listener =
      new RlsListener() {
        @Override
        public void onLimitChecked(
            String domain,
            String metric,
            @Nullable DomainRule rule,
            CountedBy counter,
            LimitReport report) {}

        @Override
        public void onDecision(Verdict verdict, long micros) {
          tookMicros.set(micros);
        }
      };

  private final KeySpace keys = KeySpace.random();
  private final DescriptorRules rules =
      DescriptorRules.of(DomainBook.EMPTY, RuleBook.of(List.of(), keys));
  private final RlsService service =
      new RlsService(
          vertx,
          new RlsEngine(
              new Limiter(new MemoryStore(), (rule, outcome, subject) -> {}),
              keys,
              nowMicros::get,
              RlsSettings.DEFAULT,
              listener),
          () -> rules,
          OperationsAccess.everybody(),
          Telemetry.NONE);
  private final HttpServer server =
      vertx
          .createHttpServer()
          .requestHandler(
              request -> {
                service.handle(request, new ByteBudget(1 << 20).share());
                arrived.countDown();
              })
          .listen(0, "127.0.0.1")
          .await();

  @AfterEach
  void stop() {
    vertx.close().await();
  }

  @Test
  void durationIncludesTheArrivalOfTheMessage() throws Exception {
    HttpClient client =
        vertx.createHttpClient(
            new HttpClientOptions()
                .setProtocolVersion(HttpVersion.HTTP_2)
                .setHttp2ClearTextUpgrade(false));
    HttpClientRequest call =
        client
            .request(HttpMethod.POST, server.actualPort(), "127.0.0.1", RlsService.PATH)
            .await(60, TimeUnit.SECONDS);
    call.putHeader("content-type", "application/grpc").setChunked(true);
    var unused = call.sendHead();
    assertThat(arrived.await(60, TimeUnit.SECONDS)).isTrue();
    nowMicros.addAndGet(3_000_000);
    call.end(framed(RateLimitRequest.newBuilder().setDomain("d").addDescriptors(one()).build()));
    assertThat(call.response().await(60, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
    assertThat(tookMicros).hasValue(3_000_000);
  }

  private static RateLimitDescriptor one() {
    return RateLimitDescriptor.newBuilder()
        .addEntries(RateLimitDescriptor.Entry.newBuilder().setKey("k").setValue("v"))
        .build();
  }

  private static Buffer framed(RateLimitRequest message) {
    byte[] bytes = message.toByteArray();
    return Buffer.buffer(new byte[PREFIX]).setInt(1, bytes.length).appendBytes(bytes);
  }
}
