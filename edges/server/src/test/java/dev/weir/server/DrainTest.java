package dev.weir.server;

import static dev.weir.server.RlsClient.about;
import static dev.weir.server.RlsClient.request;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Operation;
import dev.weir.Store;
import dev.weir.memory.MemoryStore;
import dev.weir.server.RawGrpc.Frame;
import dev.weir.server.settings.ServerSettings;
import dev.weir.testkit.redis.Await;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How a draining server announces its shutdown while it still serves. */
@Timeout(180)
class DrainTest {
  private static final byte[] CHECK = "GET /v1/check/ HTTP/1.1\r\nHost: h\r\n\r\n".getBytes(UTF_8);
  private static final int WINDOW = 65_535;

  private final TestServer served =
      TestServer.with(
          "rules: [{name: all, limit: 1000000/day, algorithm: fixed-window}]",
          ServerSettings.DEFAULT.withDrain(Duration.ofMinutes(10)));

  /** Stops the server; an interrupt makes the ten minutes end now. */
  private final Thread stopping = new Thread(served.server::close);

  @AfterEach
  void close() throws Exception {
    if (stopping.getState() == Thread.State.NEW) {
      stopping.start();
    }
    stopNow();
    served.close();
  }

  private void drain() {
    stopping.start();
    Await.until(
        "not ready", Duration.ofSeconds(60), () -> served.get("/readyz").statusCode() == 503);
  }

  private void stopNow() throws InterruptedException {
    stopping.interrupt();
    stopping.join();
  }

  private RawClient client() throws Exception {
    return new RawClient(served.server.port(), 60_000);
  }

  @Test
  void readinessReportsDrainingAndItsStart() {
    assertThat(served.get("/readyz").body()).doesNotContain("draining");
    assertThat(served.admin("GET", "/readyz", "").body()).doesNotContain("draining");
    Instant before = Instant.now();
    drain();
    assertThat(new JsonObject(served.get("/readyz").body()).getString("state"))
        .isEqualTo("draining");
    HttpResponse<String> ready = served.admin("GET", "/readyz", "");
    assertThat(ready.statusCode()).isEqualTo(503);
    JsonObject body = new JsonObject(ready.body());
    Instant since = Instant.parse(body.getString("draining"));
    assertThat(since).isBetween(before, Instant.now());
    assertThat(body.getJsonArray("problems"))
        .containsExactly("draining since " + since + ": about to stop");
    assertThat(served.get("/healthcheck").statusCode()).isEqualTo(500);
  }

  @Test
  void http1ConnectionIsClosedAfterTheNextResponse() throws Exception {
    try (RawClient kept = client();
        RawClient late = client()) {
      kept.send(CHECK);
      assertThat(kept.read(false)).isEqualTo(new RawClient.Response(200, 0));
      assertThat(kept.header("connection")).isNull();
      drain();
      for (RawClient one : List.of(kept, late)) {
        one.send(CHECK);
        assertThat(one.read(false)).isEqualTo(new RawClient.Response(200, 0));
        assertThat(one.header("connection")).isEqualTo("close");
        assertThat(one.read(false)).isNull();
      }
    }
  }

  @Test
  void responseInProgressAnnouncesTheCloseToo() throws Exception {
    CompletableFuture<Decision> answer = new CompletableFuture<>();
    CountDownLatch asked = new CountDownLatch(1);
    Store slow =
        new Store() {
          @Override
          public Answer apply(Operation operation, List<Claim> claims) {
            asked.countDown();
            return Answer.later(answer);
          }
        };
    String rules = "rules: [{name: all, limit: 9/day}]";
    try (TestServer other = TestServer.with(rules, ServerSettings.DEFAULT, slow);
        RawClient waiting = new RawClient(other.server.port(), 60_000)) {
      waiting.send(CHECK);
      assertThat(asked.await(60, TimeUnit.SECONDS)).isTrue();
      CompletableFuture<Void> closed = CompletableFuture.runAsync(other.server::close);
      Await.until("no connection is accepted", Duration.ofSeconds(60), () -> isClosed(other));
      answer.complete(Decision.of(List.of(Decision.of(Decision.Verdict.ALLOWED, 8, 0, 0))));
      assertThat(waiting.read(false)).isEqualTo(new RawClient.Response(200, 0));
      assertThat(waiting.header("connection")).isEqualTo("close");
      assertThat(waiting.read(false)).isNull();
      closed.get(60, TimeUnit.SECONDS);
    }
  }

  private static boolean isClosed(TestServer server) {
    try {
      new RawClient(server.server.port(), 1_000).close();
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  @Test
  void requestAfterTheLastResponseIsNotCharged() throws Exception {
    drain();
    try (RawClient pipelines = client()) {
      byte[] twice = new String(CHECK, UTF_8).repeat(2).getBytes(UTF_8);
      pipelines.send(twice);
      assertThat(pipelines.read(false)).isEqualTo(new RawClient.Response(200, 0));
      assertThat(pipelines.read(false)).isNull();
    }
    assertThat(served.check("/").headers().firstValue("x-ratelimit-remaining")).contains("999998");
  }

  /**
   * A request pipelined behind one that waits for the store is charged in its turn, so its client
   * must get the response: while the server drains, and at the end, when it may be cut off.
   */
  @ParameterizedTest
  @ValueSource(longs = {0, 600})
  void everyChargedRequestIsAnswered(long drainSeconds) throws Exception {
    CompletableFuture<Void> let = new CompletableFuture<>();
    CountDownLatch asked = new CountDownLatch(1);
    AtomicInteger taken = new AtomicInteger();
    MemoryStore memory = new MemoryStore();
    Store slow =
        new Store() {
          @Override
          public Answer apply(Operation operation, List<Claim> claims) {
            asked.countDown();
            taken.addAndGet(operation == Operation.TAKE ? 1 : 0);
            return Answer.later(let.thenApplyAsync(now -> memory.apply(operation, claims).join()));
          }
        };
    ServerSettings drains = ServerSettings.DEFAULT.withDrain(Duration.ofSeconds(drainSeconds));
    try (TestServer other = TestServer.with("rules: [{name: all, limit: 9/day}]", drains, slow);
        RawClient pipelines = new RawClient(other.server.port(), 60_000)) {
      pipelines.send(new String(CHECK, UTF_8).repeat(3).getBytes(UTF_8));
      assertThat(asked.await(60, TimeUnit.SECONDS)).isTrue();
      Thread closing = new Thread(other.server::close);
      closing.start();
      Await.until(
          "it stops",
          Duration.ofSeconds(60),
          () -> drainSeconds > 0 ? other.get("/readyz").statusCode() == 503 : isClosed(other));
      let.complete(null);
      List<String> connectionHeaders = new ArrayList<>();
      while (new RawClient.Response(200, 0).equals(pipelines.read(false))) {
        connectionHeaders.add(String.valueOf(pipelines.header("connection")));
      }
      assertThat(connectionHeaders).hasSize(taken.get());
      if (drainSeconds > 0) {
        assertThat(connectionHeaders).containsExactly("null", "null", "close");
      }
      closing.interrupt();
      closing.join();
    }
  }

  @Test
  void http2GoAwayIsSentFirstWithoutAndFinallyWithLastStream() throws Exception {
    try (RawGrpc calls = new RawGrpc(served.server.grpcPort(), WINDOW);
        RawGrpc idle = new RawGrpc(served.server.port(), WINDOW)) {
      awaitKind(idle, RawGrpc.SETTINGS);
      calls.call(1, request(about("a", "b")).build().toByteArray());
      calls.awaitLast(1);
      drain();
      for (RawGrpc one : List.of(calls, idle)) {
        awaitKind(one, RawGrpc.GO_AWAY);
        assertThat(one.number()).isEqualTo(Integer.MAX_VALUE);
      }
      // A client that has not read it yet is answered.
      calls.call(3, request(about("a", "b")).build().toByteArray());
      calls.awaitLast(1);
      stopNow();
      awaitKind(calls, RawGrpc.GO_AWAY);
      assertThat(calls.number()).isEqualTo(3);
      awaitKind(calls, -1);
    }
  }

  private static Frame awaitKind(RawGrpc connection, int kind) throws Exception {
    List<Frame> seen = new ArrayList<>();
    while (true) {
      Frame frame = connection.read();
      seen.add(frame);
      if (frame.kind() == kind) {
        return frame;
      }
      assertThat(frame.kind()).as("the end, after %s", seen).isNotEqualTo(-1);
    }
  }

  @Test
  void newConnectionGetsAResponseBeforeGoAway() throws Exception {
    drain();
    try (RawGrpc late = new RawGrpc(served.server.grpcPort(), WINDOW)) {
      awaitKind(late, RawGrpc.SETTINGS);
      late.call(1, request(about("a", "b")).build().toByteArray());
      awaitKind(late, RawGrpc.GO_AWAY);
      assertThat(late.number()).isEqualTo(Integer.MAX_VALUE);
      late.awaitLast(1);
    }
  }

  @Test
  void noCallFailsWhileDraining() {
    try (RlsClient client = new RlsClient(served.server.grpcPort())) {
      client.ask(request(about("a", "b")));
      drain();
      for (int i = 0; i < 200; i++) {
        client.ask(request(about("a", "b")));
      }
    }
  }
}
