package dev.weir.server.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import dev.weir.server.RawClient;
import dev.weir.server.access.Operator;
import dev.weir.server.access.Operator.Role;
import dev.weir.server.reply.AuditedActions;
import dev.weir.server.reply.Replies;
import dev.weir.testkit.redis.Await;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Actions and their records: which comes first, and what happens if one of them fails. */
@Timeout(120)
class AuditedActionsTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Operator ANN = new Operator("Ann", Role.OPERATOR, "192.0.2.1");

  private final List<String> events = new CopyOnWriteArrayList<>();
  private final AtomicInteger done = new AtomicInteger();
  private final AtomicInteger arrived = new AtomicInteger();
  private final AtomicInteger left = new AtomicInteger();

  /** Lines are written once this is zero. */
  private CountDownLatch disk = new CountDownLatch(0);

  private boolean full;
  private Supplier<CompletionStage<String>> action = () -> CompletableFuture.completedStage("done");

  private final AuditLog log = new AuditLog(this::write, InstantSource.system(), LONG);
  private final AuditedActions actions = new AuditedActions(log);
  private final Vertx vertx = Vertx.vertx();
  private final int port =
      vertx
          .createHttpServer()
          .requestHandler(this::handle)
          .listen(0, "127.0.0.1")
          .await()
          .actualPort();

  private void write(String line) throws IOException {
    try {
      disk.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (full) {
      throw new IOException("No space left on device");
    }
    events.add(new JsonObject(line).getString("event"));
  }

  private void handle(HttpServerRequest request) {
    Context loop = Vertx.currentContext();
    request.connection().closeHandler(closed -> left.incrementAndGet());
    actions.perform(
        request,
        ANN,
        "block",
        new JsonObject().put("caller", "0123456789abcdef"),
        () -> {
          assertThat(events).as("recorded before").isNotEmpty();
          assertThat(Vertx.currentContext()).isSameAs(loop);
          done.incrementAndGet();
          return action.get();
        },
        result -> Replies.text(request, 200, result));
    arrived.incrementAndGet();
  }

  @AfterEach
  void close() {
    disk.countDown();
    vertx.close().await();
    log.close();
  }

  private static void send(RawClient client) throws IOException {
    client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
  }

  private int status() throws IOException {
    try (RawClient client = new RawClient(port, 60_000)) {
      send(client);
      return Objects.requireNonNull(client.read(false)).status();
    }
  }

  @Test
  void actionIsDoneAfterItsRecordOnTheEventLoop() throws Exception {
    assertThat(status()).isEqualTo(200);
    assertThat(events).containsExactly("block");
    assertThat(done).hasValue(1);
  }

  @Test
  void actionThatCannotBeRecordedIsNotDone() throws Exception {
    full = true;
    assertThat(status()).isEqualTo(503);
    assertThat(done).hasValue(0);
  }

  @Test
  void actionThatFailsIsRecordedAgain() throws Exception {
    action = () -> CompletableFuture.failedStage(new StoreFailure(Effect.UNKNOWN, "gone", null));
    assertThat(status()).isEqualTo(503);
    Await.until("two lines", LONG, () -> events.size() == 2);
    assertThat(events).containsExactly("block", "block-failed");
    action =
        () -> {
          throw new IllegalStateException("a bug");
        };
    assertThat(status()).isEqualTo(500);
    Await.until("four lines", LONG, () -> events.size() == 4);
    assertThat(events.get(3)).isEqualTo("block-failed");
  }

  @Test
  void actionOfAClientThatLeftIsDoneAsRecorded() throws Exception {
    disk = new CountDownLatch(1);
    try (RawClient client = new RawClient(port, 60_000)) {
      send(client);
      Await.until("the request", LONG, () -> arrived.get() == 1);
    }
    Await.until("the client has left", LONG, () -> left.get() == 1);
    assertThat(done).hasValue(0);
    disk.countDown();
    Await.until("the action is done", LONG, () -> done.get() == 1);
    assertThat(events).containsExactly("block");
  }
}
