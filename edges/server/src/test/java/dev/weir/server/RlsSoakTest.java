package dev.weir.server;

import static dev.weir.server.RlsClient.about;
import static dev.weir.server.RlsClient.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.grpc.GrpcEdge;
import dev.weir.server.settings.ServerSettings;
import dev.weir.testkit.Effort;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.SocketException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Very many connections, and very many calls on one: nothing leaks, and no client harms another.
 * {@code -Dweir.rls.soak.seconds} makes it longer.
 */
@Timeout(600)
class RlsSoakTest {
  private static final int SECONDS = Effort.of("weir.rls.soak.seconds", 1, 10);
  private static final int CONNECTS_PER_SECOND = 150;
  private static final int STREAMS = 10_000;
  private static final String YAML =
      """
      domain: shop
      descriptors:
        - {key: user, rate_limit: {unit: year, requests_per_unit: 4294967295}}
      """;

  /** Vert.x logs an error for each answer that waits when a connection is closed. */
  private static final Logger NOISY =
      Logger.getLogger("io.netty.handler.codec.http2.DefaultHttp2Connection");

  private final TestServer served =
      TestServer.with(YAML, ServerSettings.DEFAULT.withRequestTime(Duration.ofSeconds(1)));
  private final int port = served.server.grpcPort();
  private final byte[] message = request(about("user", "raw")).build().toByteArray();

  @AfterEach
  void stop() {
    served.close();
  }

  @Test
  void shortLivedConnectionsLeakNothing() throws Exception {
    churn(CONNECTS_PER_SECOND);
    settle();
    ResourceUsage before = ResourceUsage.now();
    int connects = CONNECTS_PER_SECOND * SECONDS;
    churn(connects);
    settle();
    ResourceUsage.now().assertNoMoreThan(before, "connections", connects);
  }

  /** Every third connection is closed in the middle of a call. */
  private void churn(int connects) throws IOException {
    for (int i = 0; i < connects; i++) {
      try (RawGrpc raw = new RawGrpc(port, 65_535)) {
        if (i % 3 == 0) {
          raw.open(1);
        } else {
          raw.call(1, message);
          raw.awaitLast(1);
        }
      }
    }
  }

  /** The server takes a moment to notice that a connection is closed. */
  private static void settle() throws InterruptedException {
    long files = Long.MAX_VALUE;
    for (int i = 0; i < 50 && ResourceUsage.openFiles() < files; i++) {
      files = ResourceUsage.openFiles();
      TimeUnit.MILLISECONDS.sleep(200);
    }
  }

  @Test
  void tenThousandCallsInFlightOnOneConnectionLeakNothing() throws Exception {
    // With the default request timeout: so many calls may keep each other waiting.
    try (TestServer patient = TestServer.with(YAML, ServerSettings.DEFAULT);
        RlsClient client = new RlsClient(patient.server.grpcPort())) {
      load(client, TimeUnit.SECONDS.toNanos(Math.max(1, SECONDS / 3)));
      ResourceUsage before = ResourceUsage.now();
      long sent = load(client, TimeUnit.SECONDS.toNanos(SECONDS));
      ResourceUsage.now().assertNoMoreThan(before, "calls", sent);
    }
  }

  private static long load(RlsClient client, long nanos) throws InterruptedException {
    Semaphore room = new Semaphore(STREAMS);
    LongAdder failed = new LongAdder();
    AtomicReference<Throwable> why = new AtomicReference<>();
    RateLimitServiceGrpc.RateLimitServiceStub stub =
        RateLimitServiceGrpc.newStub(client.channel).withExecutor(Runnable::run);
    StreamObserver<RateLimitResponse> answer =
        new StreamObserver<>() {
          @Override
          public void onNext(RateLimitResponse reply) {
            if (reply.getStatuses(0).getLimitRemaining() == 0) {
              failed.increment();
            }
          }

          @Override
          public void onError(Throwable thrown) {
            why.set(thrown);
            failed.increment();
            room.release();
          }

          @Override
          public void onCompleted() {
            room.release();
          }
        };
    long sent = 0;
    for (long start = System.nanoTime(); System.nanoTime() - start < nanos; sent++) {
      room.acquire();
      stub.shouldRateLimit(request(about("user", "u" + sent % 100)).build(), answer);
    }
    assertThat(room.tryAcquire(STREAMS, 60, TimeUnit.SECONDS)).isTrue();
    assertThat(failed.sum())
        .as(why.get() + ", " + (why.get() == null ? "" : why.get().getCause()))
        .isZero();
    return sent;
  }

  /** Four times as many streams as a connection may have: the others are refused. */
  @Test
  void clientThatFinishesNoCallIsCutOffAndHarmsNoOther() throws Exception {
    int begun = 4 * GrpcEdge.MAX_STREAMS;
    try (RawGrpc flood = new RawGrpc(port, 65_535);
        RlsClient client = new RlsClient(port)) {
      client.ask(about("user", "a"));
      for (int i = 0; i < begun; i++) {
        flood.open(2 * i + 1);
      }
      assertAnswered(client);
      flood.awaitLast(begun);
      assertAnswered(client);
      // And it may call again.
      flood.call(2 * begun + 1, message);
      flood.awaitLast(1);
    }
  }

  @Test
  void clientThatReadsNoAnswersHarmsNoOther() throws Exception {
    AtomicInteger logged = new AtomicInteger();
    Handler counting =
        new Handler() {
          @Override
          public void publish(LogRecord line) {
            logged.incrementAndGet();
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    NOISY.addHandler(counting);
    try (RawGrpc flood = new RawGrpc(port, 0);
        RlsClient client = new RlsClient(port)) {
      client.ask(about("user", "a"));
      callUntilCutOff(flood);
      assertAnswered(client);
    }
    assertThat(served.get("/healthz").statusCode()).isEqualTo(200);
    served.close();
    NOISY.removeHandler(counting);
    assertThat(logged).as("lines in a minute").hasValueLessThanOrEqualTo(1);
  }

  /** Sends many more calls than a connection may have; it may be closed meanwhile. */
  private void callUntilCutOff(RawGrpc flood) throws IOException {
    try {
      for (int i = 0; i < STREAMS; i++) {
        flood.call(2 * i + 1, message);
      }
    } catch (SocketException closed) {
      // Expected: a client that keeps calling and reads nothing may lose the connection.
    }
  }

  private static void assertAnswered(RlsClient client) {
    for (int i = 0; i < 100; i++) {
      long start = System.nanoTime();
      assertThat(client.ask(about("user", "a")).getOverallCode())
          .isEqualTo(RateLimitResponse.Code.OK);
      if (Effort.isThorough()) {
        assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(5));
      }
    }
  }
}
