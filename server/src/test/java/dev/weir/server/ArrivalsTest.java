package dev.weir.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpRequestDecoder;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What is watched, and for how long. */
class ArrivalsTest {
  private final Arrivals arrivals = new Arrivals(Duration.ofMillis(1));

  private EmbeddedChannel connection(boolean http1) {
    EmbeddedChannel connection = new EmbeddedChannel(ArrivingOnHttp1.first(arrivals, new Drain()));
    connection.pipeline().addLast("idle", new ChannelInboundHandlerAdapter());
    if (http1) {
      connection.pipeline().addLast("httpDecoder", new HttpRequestDecoder());
    }
    connection.pipeline().addLast("handler", new ChannelInboundHandlerAdapter());
    return connection;
  }

  private static void send(EmbeddedChannel connection, String text) {
    connection.writeInbound(Unpooled.copiedBuffer(text, US_ASCII));
  }

  private boolean isCutOff(EmbeddedChannel connection) throws InterruptedException {
    Thread.sleep(5);
    arrivals.sweep();
    connection.runPendingTasks();
    return !connection.isOpen();
  }

  @Test
  void aConnectionIsForgottenWhenItCloses() {
    EmbeddedChannel connection = connection(true);
    assertThat(arrivals.size()).isZero();
    send(connection, "GET / HTTP/1.1\r\n");
    assertThat(arrivals.size()).isEqualTo(1);
    connection.finishAndReleaseAll();
    assertThat(arrivals.size()).isZero();
  }

  @Test
  void onlyHalfARequestIsEverLate() throws Exception {
    EmbeddedChannel connection = connection(true);
    send(connection, "GET / HTTP/1.1\r\nHost: h\r\n\r\n");
    assertThat(isCutOff(connection)).isFalse();
    // A whole one and the beginning of the next, of which nothing more comes: it only rests.
    send(connection, "GET / HTTP/1.1\r\nHost: h\r\n\r\nGET /");
    assertThat(isCutOff(connection)).isFalse();
    send(connection, " HTTP/1.1\r\n");
    assertThat(isCutOff(connection)).isTrue();
  }

  @Test
  void aConnectionOfHttp2IsLeftAlone() throws Exception {
    EmbeddedChannel connection = connection(false);
    send(connection, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
    assertThat(arrivals.size()).isZero();
    assertThat(isCutOff(connection)).isFalse();
    connection.finishAndReleaseAll();
  }
}
