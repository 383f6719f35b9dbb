package dev.weir.server.listen;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.transport.ByteBudget;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpRequestDecoder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Incomplete HTTP/1 requests are bounded in time and size. */
class Http1RequestGuardTest {
  private final SlowRequestGuard guard = new SlowRequestGuard(Duration.ofMillis(1));

  private final ByteBudget budget = new ByteBudget(100_000);

  private EmbeddedChannel connection(boolean http1) {
    EmbeddedChannel connection =
        new EmbeddedChannel(Http1RequestGuard.installer(guard, new Drain(), budget));
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
    guard.sweep();
    connection.runPendingTasks();
    return !connection.isOpen();
  }

  @Test
  void connectionIsUnwatchedWhenItCloses() {
    EmbeddedChannel connection = connection(true);
    assertThat(guard.size()).isZero();
    send(connection, "GET / HTTP/1.1\r\n");
    assertThat(guard.size()).isEqualTo(1);
    connection.finishAndReleaseAll();
    assertThat(guard.size()).isZero();
  }

  @Test
  void onlyIncompleteRequestsTimeOut() throws Exception {
    EmbeddedChannel connection = connection(true);
    send(connection, "GET / HTTP/1.1\r\nHost: h\r\n\r\n");
    assertThat(isCutOff(connection)).isFalse();
    // A complete request and the start of the next: that alone does not time out.
    send(connection, "GET / HTTP/1.1\r\nHost: h\r\n\r\nGET /");
    assertThat(isCutOff(connection)).isFalse();
    send(connection, " HTTP/1.1\r\n");
    assertThat(isCutOff(connection)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET / HTTP/1.1\r\n",
        "GET / HTTP/1.1\r\nHost: h\r\n\r\nGET / HTTP/1.1\r\n",
        "POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}GET / HTTP/1.1\r\n",
      })
  void headWithTooManyFieldsIsDropped(String before) {
    EmbeddedChannel connection = connection(true);
    send(connection, before + "a:\r\n".repeat(15_000));
    assertThat(connection.isOpen()).isFalse();
    assertThat(budget.used()).isZero();
  }

  @Test
  void incompleteHeadsAreBoundedInTotal() {
    List<EmbeddedChannel> connections = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      EmbeddedChannel connection = connection(true);
      connections.add(connection);
      send(connection, "GET / HTTP/1.1\r\nX: " + "x".repeat(7_500));
      assertThat(budget.used()).isBetween(0L, 100_000L);
    }
    assertThat(connections.stream().filter(EmbeddedChannel::isOpen).count()).isBetween(20L, 40L);
    assertThat(connections.get(59).isOpen()).isFalse();
    EmbeddedChannel first = connections.get(0);
    send(first, "\r\n\r\n");
    assertThat(first.isOpen()).as("complete").isTrue();
    connections.forEach(EmbeddedChannel::finishAndReleaseAll);
    assertThat(budget.used()).isZero();
  }

  @Test
  void completeHeadsReleaseTheirBudget() {
    EmbeddedChannel connection = connection(true);
    String head = "GET / HTTP/1.1\r\n" + "Header: value\r\n".repeat(190);
    for (int i = 0; i < 10; i++) {
      for (String part : head.split("(?<=e)", -1)) {
        send(connection, part);
      }
      assertThat(budget.used()).isPositive();
      send(connection, "\r\n");
      assertThat(budget.used()).isZero();
      send(connection, head + "\r\n");
      assertThat(budget.used()).isZero();
    }
    assertThat(connection.isOpen()).isTrue();
    connection.finishAndReleaseAll();
  }

  @Test
  void bodyWithManyLinesIsNotCountedAsHead() {
    EmbeddedChannel connection = connection(true);
    String head = "POST / HTTP/1.1\r\nContent-Length: 12000\r\n";
    for (int i = 0; i < 3; i++) {
      send(connection, head + "\r\n" + "a: b\r\n".repeat(1_500));
      send(connection, "a: b\r\n".repeat(500));
      assertThat(budget.used()).isZero();
      send(connection, "GET / HTTP/1.1\r\n");
      send(connection, "Host: h\r\n\r\n");
      assertThat(budget.used()).isZero();
    }
    assertThat(connection.isOpen()).isTrue();
    connection.finishAndReleaseAll();
  }

  @Test
  void http2ConnectionIsNotWatched() throws Exception {
    EmbeddedChannel connection = connection(false);
    send(connection, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
    assertThat(guard.size()).isZero();
    assertThat(isCutOff(connection)).isFalse();
    connection.finishAndReleaseAll();
  }
}
