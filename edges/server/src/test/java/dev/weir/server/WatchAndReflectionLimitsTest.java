package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.RawGrpc.Frame;
import dev.weir.server.grpc.Reflections;
import dev.weir.server.settings.ServerSettings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Health watches and reflection calls on the gRPC port are bounded. */
@Timeout(300)
class WatchAndReflectionLimitsTest {
  private static final String WATCH = "/grpc.health.v1.Health/Watch";
  private static final String REFLECTION =
      "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo";

  private final TestServer served =
      TestServer.with(
          "domain: d\ndescriptors: []\n",
          ServerSettings.DEFAULT.withRequestTime(Duration.ofSeconds(3)));

  @AfterEach
  void close() {
    assertThat(served.get("/healthz").statusCode()).isEqualTo(200);
    served.close();
  }

  private RawGrpc connect() throws IOException {
    return new RawGrpc(served.server.grpcPort(), 65_535);
  }

  @Test
  void watchesPerConnectionAreBounded() throws IOException {
    try (RawGrpc client = connect()) {
      for (int stream = 1; stream <= 17; stream += 2) {
        client.post(stream, WATCH, "application/grpc");
        client.send(RawGrpc.DATA, RawGrpc.END_STREAM, stream, new byte[5]);
      }
      Frame refused = client.last();
      assertThat(refused.stream()).as("the ninth").isEqualTo(17);
      assertThat(refused.kind()).as("with a reason").isEqualTo(RawGrpc.HEADERS);
      // There is room again once another watch has ended.
      client.send(RawGrpc.RESET, 0, 1, new byte[] {0, 0, 0, 8});
      client.post(19, WATCH, "application/grpc");
      client.send(RawGrpc.DATA, RawGrpc.END_STREAM, 19, new byte[5]);
      Frame frame = client.read();
      while (frame.stream() != 19) {
        frame = client.read();
      }
      assertThat(frame.isLast()).isFalse();
    }
  }

  @Test
  void oversizedReflectionRequestIsReset() throws IOException {
    try (RawGrpc client = connect()) {
      client.post(1, REFLECTION, "application/grpc");
      client.send(RawGrpc.DATA, 0, 1, ByteBuffer.allocate(8 << 10).putInt(1, 4_000_000).array());
      Frame last = client.last();
      assertThat(last).isEqualTo(new Frame(RawGrpc.RESET, 0, 1));
    }
  }

  @Test
  void endlessReflectionIsResetAndConcurrentCallsAreBounded() throws IOException {
    try (RawGrpc client = connect()) {
      int max = Reflections.MAX_CALLS;
      for (int i = 0; i <= max; i++) {
        client.post(1 + 2 * i, REFLECTION, "application/grpc");
      }
      Frame refused = client.last();
      assertThat(refused.stream()).as("one too many").isEqualTo(1 + 2 * max);
      assertThat(refused.kind()).as("with a reason").isEqualTo(RawGrpc.HEADERS);
      int reset = 0;
      while (reset < max) {
        reset += client.last().kind() == RawGrpc.RESET ? 1 : 0;
      }
      client.post(101, REFLECTION, "application/grpc");
      client.send(RawGrpc.DATA, RawGrpc.END_STREAM, 101, new byte[] {0, 0, 0, 0, 2, 0x3A, 0});
      Frame last = client.last();
      while (last.stream() != 101) {
        last = client.last();
      }
      assertThat(last.kind()).as("there is room again").isEqualTo(RawGrpc.HEADERS);
    }
  }
}
