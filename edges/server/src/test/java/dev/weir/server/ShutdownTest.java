package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Operation;
import dev.weir.Store;
import dev.weir.memory.MemoryStore;
import dev.weir.server.settings.ServerSettings;
import dev.weir.testkit.Effort;
import dev.weir.testkit.redis.Await;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** How a server shuts down. */
class ShutdownTest {
  private static final String RULES = "rules: [{name: all, limit: 100/hour}]";
  private static final Duration LONG = Duration.ofSeconds(60);

  /** A store that answers when the test allows it. */
  private static final class SlowStore implements Store {
    private final MemoryStore store = new MemoryStore();
    private final CompletableFuture<Boolean> let = new CompletableFuture<>();
    private final CountDownLatch asked;

    SlowStore(int requests) {
      asked = new CountDownLatch(requests);
    }

    @Override
    public Answer apply(Operation operation, List<Claim> claims) {
      asked.countDown();
      return Answer.later(let.thenApply(now -> store.apply(operation, claims).join()));
    }
  }

  @Test
  void requestsInFlightAreAnswered() throws Exception {
    int requests = 20;
    SlowStore store = new SlowStore(requests);
    try (TestServer served = TestServer.with(RULES, ServerSettings.DEFAULT, store)) {
      List<CompletableFuture<HttpResponse<String>>> inFlight = new ArrayList<>();
      for (int i = 0; i < requests; i++) {
        inFlight.add(
            served.client.sendAsync(
                HttpRequest.newBuilder(served.uri("/v1/check/")).build(), BodyHandlers.ofString()));
      }
      assertThat(store.asked.await(60, TimeUnit.SECONDS)).isTrue();
      CompletableFuture<Void> closed = CompletableFuture.runAsync(served.server::close);
      Await.until("no connection is accepted", LONG, () -> isClosed(served));
      assertThat(closed).isNotDone();
      assertThat(inFlight).noneMatch(CompletableFuture::isDone);
      store.let.complete(true);
      for (CompletableFuture<HttpResponse<String>> one : inFlight) {
        assertThat(one.get(60, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
      }
      closed.get(60, TimeUnit.SECONDS);
      assertThatThrownBy(() -> served.get("/healthz")).hasCauseInstanceOf(IOException.class);
    }
  }

  @Test
  void readinessTurnsOffBeforeTrafficStops() throws Exception {
    ServerSettings drains = ServerSettings.DEFAULT.withDrain(Duration.ofHours(1));
    try (TestServer served = TestServer.with(RULES, drains)) {
      assertThat(served.get("/readyz").statusCode()).isEqualTo(200);
      Thread closing = new Thread(served.server::close);
      closing.start();
      Await.until("it is not ready", LONG, () -> served.get("/readyz").statusCode() == 503);
      HttpResponse<String> ready = served.get("/readyz");
      assertThat(new JsonObject(ready.body()).getBoolean("ready")).isFalse();
      assertThat(served.get("/v1/check/").statusCode()).isEqualTo(200);
      assertThat(served.get("/healthz").statusCode()).isEqualTo(200);
      closing.interrupt(); // the hour is over
      closing.join();
      assertThat(isClosed(served)).isTrue();
    }
  }

  private static boolean isClosed(TestServer served) {
    try {
      new RawClient(served.server.port(), 1_000).close();
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  @Test
  void idleConnectionsDoNotDelayShutdown() throws Exception {
    try (TestServer served = TestServer.with(RULES);
        RawClient idle = new RawClient(served.server.port(), 60_000)) {
      idle.send("GET /v1/check/ HTTP/1.1\r\nHost: h\r\n\r\n".getBytes(StandardCharsets.UTF_8));
      assertThat(idle.read(false)).isEqualTo(new RawClient.Response(200, 0));
      if (Effort.isThorough()) {
        assertTimeoutPreemptively(Duration.ofSeconds(3), served.server::close);
      } else {
        served.server.close();
      }
      assertThat(idle.read(false)).isNull();
      // A second close does no harm.
      served.server.close();
    }
  }
}
