package dev.weir.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.settings.ServerSettings;
import dev.weir.testkit.redis.Await;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The byte budget of incomplete requests is released, however they end. */
@Timeout(300)
class ByteBudgetReleaseTest {
  private static final String RULES = "rules: [{name: all, limit: 100000/hour}]";
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final Duration FOREVER = Duration.ofMinutes(10);
  private static final int FRAME = 16 << 10;
  private static final int FRAMES = 3;

  private final List<TestServer> started = new ArrayList<>();

  @AfterEach
  void close() {
    started.forEach(TestServer::close);
  }

  private TestServer served(Duration requestTime) {
    TestServer served = TestServer.with(RULES, ServerSettings.DEFAULT.withRequestTime(requestTime));
    started.add(served);
    return served;
  }

  private static void awaitKept(TestServer served) {
    Await.until("bytes are kept", SOON, () -> served.server.bufferedBytes() > FRAME);
  }

  private static void awaitNone(TestServer served) {
    Await.until("nothing is kept", SOON, () -> served.server.bufferedBytes() == 0);
    assertThat(served.get("/v1/check/").statusCode()).isEqualTo(200);
  }

  /** An incomplete HTTP/1 body. */
  private static RawClient body(TestServer served) throws IOException {
    RawClient client = new RawClient(served.server.port(), 60_000);
    String head =
        """
        POST /v1/decide HTTP/1.1\r
        Host: localhost\r
        Content-Type: application/json\r
        Content-Length: 1000000\r
        \r
        """;
    client.send(head.getBytes(US_ASCII));
    client.send(new byte[FRAMES * FRAME]);
    return client;
  }

  /** An incomplete HTTP/2 body. */
  private static RawGrpc stream(TestServer served) throws IOException {
    RawGrpc client = new RawGrpc(served.server.port(), 65_535);
    client.post(1, "/v1/decide", "application/json");
    for (int i = 0; i < FRAMES; i++) {
      client.send(RawGrpc.DATA, 0, 1, new byte[FRAME]);
    }
    return client;
  }

  /** An incomplete gRPC message. */
  private static RawGrpc message(TestServer served) throws IOException {
    RawGrpc client = new RawGrpc(served.server.grpcPort(), 65_535);
    client.open(1);
    client.send(RawGrpc.DATA, 0, 1, ByteBuffer.allocate(FRAME).putInt(1, 1 << 20).array());
    for (int i = 1; i < FRAMES; i++) {
      client.send(RawGrpc.DATA, 0, 1, new byte[FRAME]);
    }
    return client;
  }

  @Test
  void afterServerCutsOffHttp1Body() throws Exception {
    TestServer served = served(Duration.ofSeconds(1));
    try (RawClient client = body(served)) {
      awaitKept(served);
      assertThat(client.read(false)).isNotNull();
      awaitNone(served);
    }
  }

  @Test
  void afterServerResetsStream() throws Exception {
    TestServer served = served(Duration.ofSeconds(1));
    try (RawGrpc client = stream(served)) {
      awaitKept(served);
      client.awaitLast(1);
      awaitNone(served);
    }
  }

  @Test
  void afterServerResetsGrpcMessage() throws Exception {
    TestServer served = served(Duration.ofSeconds(1));
    try (RawGrpc client = message(served)) {
      awaitKept(served);
      client.awaitLast(1);
      awaitNone(served);
    }
  }

  @Test
  void afterClientResetsStream() throws Exception {
    TestServer served = served(FOREVER);
    try (RawGrpc stream = stream(served);
        RawGrpc message = message(served)) {
      awaitKept(served);
      stream.send(RawGrpc.RESET, 0, 1, new byte[] {0, 0, 0, 8});
      message.send(RawGrpc.RESET, 0, 1, new byte[] {0, 0, 0, 8});
      awaitNone(served);
    }
  }

  /** Here Netty resets the stream, not the client or the server's own code. */
  @Test
  void afterStreamProtocolError() throws Exception {
    TestServer served = served(FOREVER);
    try (RawGrpc stream = stream(served);
        RawGrpc message = message(served)) {
      awaitKept(served);
      byte[] nothing = new byte[4]; // a window update of zero is a stream error
      stream.send(RawGrpc.WINDOW_UPDATE, 0, 1, nothing);
      message.send(RawGrpc.WINDOW_UPDATE, 0, 1, nothing);
      stream.awaitLast(1);
      message.awaitLast(1);
      awaitNone(served);
    }
  }

  @Test
  void afterClientDisconnects() throws Exception {
    TestServer served = served(FOREVER);
    RawClient body = body(served);
    awaitKept(served);
    RawGrpc stream = stream(served);
    RawGrpc message = message(served);
    Await.until("all have come", SOON, () -> served.server.bufferedBytes() > 3L * 2 * FRAME);
    body.close();
    stream.close();
    message.close();
    awaitNone(served);
  }
}
