package dev.weir.server.listen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.RawGrpc;
import dev.weir.server.RawGrpc.Frame;
import dev.weir.server.listen.Listeners.Where;
import dev.weir.server.metrics.HttpStats;
import dev.weir.server.metrics.HttpStats.Endpoint;
import dev.weir.server.reply.Replies;
import dev.weir.server.transport.ByteBudget;
import dev.weir.server.transport.ConnectionGates;
import dev.weir.server.transport.ConnectionLimits;
import dev.weir.server.transport.LoopMonitor;
import dev.weir.server.transport.Streams;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Streams that clients leave open shut out no other client and use bounded memory. */
@Timeout(300)
class AbandonedStreamsTest {
  private static final int CONNECTIONS = 12;
  private static final int STREAMS = 100;

  /** The budget of each event loop: 64 streams of usual size. */
  private static final long MAX_BYTES = 1 << 20;

  private final Streams streams = new Streams(MAX_BYTES);
  private final Drain drain = new Drain();
  private final ConnectionGates gates = new ConnectionGates(Throwable::printStackTrace);
  private final Vertx vertx =
      Vertx.builder()
          .withTransport(
              new WatchedTransport(
                  new SlowRequestGuard(Duration.ofMinutes(10)),
                  drain,
                  gates,
                  new LoopMonitor(why -> {}),
                  ByteBudget.byHeap()))
          .build();
  private final Listeners listeners =
      new Listeners(vertx, new HttpStats(), drain, gates, streams, closed -> {});
  private final Where anyPort = new Where("127.0.0.1", 0, null, ConnectionLimits.of(100));
  private final int port =
      listeners.listen(
          2, anyPort, request -> Endpoint.CHECK, request -> Replies.text(request, 200, "fine"));
  private final List<RawGrpc> parked = new ArrayList<>();

  @AfterEach
  void close() throws IOException {
    for (RawGrpc one : parked) {
      one.close();
    }
    vertx.close().await();
  }

  private RawGrpc connect(int window) throws IOException {
    RawGrpc one = new RawGrpc(port, window);
    parked.add(one);
    return one;
  }

  private static void ask(RawGrpc client, int stream) throws IOException {
    client.get(stream, "/", true);
    Frame last = client.last();
    assertThat(last.stream()).isEqualTo(stream);
    String code = last.kind() == RawGrpc.RESET ? "reset with " + client.number() : "answered";
    assertThat(last.kind()).as(code).isEqualTo(RawGrpc.DATA);
  }

  /** Several other clients, so that every event loop has some. */
  private void othersAreAnswered() throws IOException {
    for (int i = 0; i < 8; i++) {
      try (RawGrpc other = new RawGrpc(port, 65_535)) {
        for (int stream = 1; stream < 20; stream += 2) {
          ask(other, stream);
        }
      }
    }
  }

  @Test
  void streamsAnsweredButNeverEndedByTheClient() throws IOException {
    for (int i = 0; i < CONNECTIONS; i++) {
      RawGrpc one = connect(65_535);
      for (int stream = 0; stream < STREAMS; stream++) {
        one.get(1 + 2 * stream, "/", false);
      }
    }
    othersAreAnswered();
  }

  @Test
  void streamsWhoseResponsesAreNotRead() throws IOException {
    for (int i = 0; i < CONNECTIONS; i++) {
      RawGrpc one = connect(0);
      try {
        for (int stream = 0; stream < STREAMS; stream++) {
          one.get(1 + 2 * stream, "/", true);
        }
      } catch (SocketException e) {
        // the connection was closed before all requests were sent
      }
    }
    othersAreAnswered();
  }

  /** Answering and resetting them one by one would take more time than sending them. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void clientThatReadsNoResponsesIsDisconnected(int window) throws IOException {
    RawGrpc one = connect(window);
    for (int stream = 0; stream < 32; stream++) {
      one.get(1 + 2 * stream, "/", true);
    }
    one.send(RawGrpc.WINDOW_UPDATE, 0, 1, new byte[] {0, 0, 1, 0});
    Frame answer = one.last();
    assertThat(answer.kind()).as("answered as long as there are few").isEqualTo(RawGrpc.DATA);
    one.get(65, "/", true);
    one.get(67, "/", true); // one more than 32
    one.awaitClosed();
    othersAreAnswered();
  }

  @Test
  void manySmallFieldsAreRejectedAndCountBySize() throws IOException {
    RawGrpc many = connect(65_535);
    many.get(1, "/", true, HeaderSize.MAX_FIELDS + 1);
    many.last();
    assertThat(many.text()).contains("431");
    // Responses are not read: each counts like several streams.
    RawGrpc one = connect(0);
    for (int stream = 0; stream < 20; stream++) {
      one.get(1 + 2 * stream, "/", true, 3_000);
    }
    int reset = 0;
    while (reset < 10) {
      reset += one.last().kind() == RawGrpc.RESET ? 1 : 0;
    }
    othersAreAnswered();
  }

  @Test
  void streamKeptOpenOnlyByItsClientIsResetAfterAWhile() throws IOException {
    RawGrpc one = connect(0);
    one.get(1, "/", true);
    one.get(3, "/", false);
    one.send(RawGrpc.WINDOW_UPDATE, 0, 3, new byte[] {0, 0, 1, 0});
    assertThat(one.last()).isEqualTo(new Frame(RawGrpc.DATA, RawGrpc.END_STREAM, 3));
    streams.sweep(System.nanoTime() + TimeUnit.SECONDS.toNanos(31));
    assertThat(one.last()).isEqualTo(new Frame(RawGrpc.RESET, 0, 1));
    assertThat(one.number()).as("cancelled").isEqualTo(8);
    assertThat(one.last()).isEqualTo(new Frame(RawGrpc.RESET, 0, 3));
    assertThat(one.number()).as("no error: it was answered").isZero();
  }

  @Test
  void trailersAreBounded() throws IOException {
    RawGrpc one = connect(0);
    one.get(1, "/", false);
    one.fields(1, 3_000);
    assertThat(one.last().kind()).isEqualTo(RawGrpc.RESET);
    othersAreAnswered();
  }

  @Test
  void wellBehavedConnectionStaysOpen() throws IOException {
    try (RawGrpc honest = new RawGrpc(port, 65_535)) {
      for (int i = 0; i < CONNECTIONS; i++) {
        RawGrpc one = connect(65_535);
        for (int stream = 0; stream < STREAMS; stream++) {
          one.get(1 + 2 * stream, "/", false);
        }
        for (int stream = 0; stream < 50; stream++) {
          ask(honest, 1 + 2 * (50 * i + stream));
        }
      }
    }
  }
}
