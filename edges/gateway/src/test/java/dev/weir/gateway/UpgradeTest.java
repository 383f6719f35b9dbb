package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.redis.Await;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** WebSockets through the gateway. */
class UpgradeTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final Vertx vertx = Vertx.vertx();
  private final BlockingQueue<String> heard = new ArrayBlockingQueue<>(1_000);
  private final CountDownLatch gone = new CountDownLatch(1);
  private HttpServer upstream;
  private TestGateway gateway;

  @BeforeEach
  void start() {
    upstream =
        vertx
            .createHttpServer()
            .webSocketHandler(socket -> socket.textMessageHandler(socket::writeTextMessage))
            .requestHandler(request -> request.response().setStatusCode(404).end("no"))
            .listen(0, "127.0.0.1")
            .await();
    gateway =
        TestGateway.to(
            "rules: [{name: one, concurrent: 1}]\n", "http://127.0.0.1:" + upstream.actualPort());
  }

  @AfterEach
  void stop() {
    gateway.close();
    vertx.close().await();
  }

  /** As browsers do, the client offers to compress; the upstream does not answer that. */
  @Test
  void gatewayNegotiatesNothingOfItsOwn() throws IOException {
    String answer =
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n";
    try (ScriptedUpstream plain =
            ScriptedUpstream.that((request, socket) -> ScriptedUpstream.write(socket, answer));
        TestGateway open = TestGateway.to(TestGateway.OPEN, plain.url());
        RawHttp client = new RawHttp(open.port())) {
      String head =
          client
              .send(
                  "GET /chat HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                      + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                      + "Sec-WebSocket-Version: 13\r\n"
                      + "Sec-WebSocket-Extensions: permessage-deflate\r\n\r\n")
              .readUntil("\r\n\r\n");
      assertThat(head).startsWith("HTTP/1.1 101");
      assertThat(head.toLowerCase(Locale.ROOT)).doesNotContain("sec-websocket-extensions");
    }
  }

  private WebSocket open() {
    return gateway
        .client
        .newWebSocketBuilder()
        .buildAsync(
            URI.create("ws://127.0.0.1:" + gateway.port() + "/chat"),
            new WebSocket.Listener() {
              @Override
              public void onError(WebSocket socket, Throwable failure) {
                gone.countDown();
              }

              @Override
              public @Nullable CompletionStage<?> onClose(
                  WebSocket socket, int status, String reason) {
                gone.countDown();
                return null;
              }

              @Override
              public @Nullable CompletionStage<?> onText(
                  WebSocket socket, CharSequence text, boolean last) {
                heard.add(text.toString());
                socket.request(1);
                return null;
              }
            })
        .join();
  }

  @Test
  void messagesPassBothWaysWhileAPermitIsHeld() throws Exception {
    WebSocket socket = open();
    for (int i = 0; i < 100; i++) {
      socket.sendText("message " + i, true).join();
    }
    for (int i = 0; i < 100; i++) {
      assertThat(heard.poll(60, TimeUnit.SECONDS)).isEqualTo("message " + i);
    }
    assertThat(gateway.get("/").statusCode()).isEqualTo(429);
    socket.sendClose(WebSocket.NORMAL_CLOSURE, "").join();
    Await.until("the permit is free", LIMIT, () -> gateway.get("/").statusCode() == 404);
  }

  @Test
  void permitComesBackIfTheClientVanishes() {
    WebSocket socket = open();
    assertThat(gateway.get("/").statusCode()).isEqualTo(429);
    socket.abort();
    Await.until("the permit is free", LIMIT, () -> gateway.get("/").statusCode() == 404);
  }

  @Test
  void permitComesBackIfTheUpstreamVanishes() throws InterruptedException {
    WebSocket socket = open();
    upstream.close().await();
    Await.until("the permit is free", LIMIT, () -> gateway.get("/").statusCode() == 502);
    assertThat(gone.await(60, TimeUnit.SECONDS)).as("the client learns of it: " + socket).isTrue();
  }

  @Test
  void refusalOfTheUpstreamReachesTheClient() throws Exception {
    try (ScriptedUpstream refusing =
            ScriptedUpstream.that(
                (request, socket) ->
                    ScriptedUpstream.write(
                        socket, "HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno"));
        TestGateway other = TestGateway.to(TestGateway.OPEN, refusing.url());
        RawHttp client = new RawHttp(other.port())) {
      client.send(
          "GET /chat HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
              + "Sec-WebSocket-Key: x3JJHMbDL1EzLkh9GBhXDw==\r\nSec-WebSocket-Version: 13\r\n\r\n");
      assertThat(client.readUntil("\r\n\r\nno")).startsWith("HTTP/1.1 403").endsWith("no");
      assertThat(refusing.received.get(0).values("Upgrade")).containsExactly("websocket");
    }
  }
}
