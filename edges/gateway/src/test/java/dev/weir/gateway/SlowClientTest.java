package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.RawHttp2;
import dev.weir.testkit.redis.Await;
import java.io.IOException;
import java.net.SocketException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Clients that send a byte now and then: the gateway does not wait for them for long, and they hold
 * no permit, no place in a queue and no connection to the upstream.
 */
class SlowClientTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Duration TIME = Duration.ofMillis(250);
  private static final String POST = "POST /slow HTTP/1.1\r\nHost: a\r\n";

  private static AbusedGateway started() {
    return AbusedGateway.impatient(ScriptedUpstream.that(AbusedGateway::echo), TIME);
  }

  /** Sends a hundred bytes in a second, until the gateway closes the connection. */
  private static void trickle(RawHttp client) {
    Await.until(
        "the gateway closes the connection",
        LIMIT,
        () -> {
          try {
            client.send("a");
            return false;
          } catch (IOException closed) {
            return true;
          }
        });
  }

  /** What the gateway sent before it closed the connection; empty if a reset has taken it away. */
  private static String answer(RawHttp client) throws IOException {
    try {
      return client.readAll();
    } catch (SocketException reset) {
      return "";
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"G", "GET /slow HTTP/1.1\r\n", POST + "X-", POST + "Content-Length: 5\r\nX: "})
  void slowHeadNeverReachesTheUpstream(String beginning) throws IOException {
    try (AbusedGateway abused = started();
        RawHttp client = abused.connect()) {
      trickle(client.send(beginning));
      assertThat(answer(client)).matches("(?s)(HTTP/1.1 408 .*)?");
      abused.assertUntouched();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"Content-Length: 1000", "Transfer-Encoding: chunked"})
  void slowHeadOfTheNextRequestNeverReachesTheUpstream(String framing) throws IOException {
    try (AbusedGateway abused = started();
        RawHttp client = abused.connect()) {
      client.send("POST /first HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx");
      assertThat(client.readUntil("/first")).startsWith("HTTP/1.1 200");
      trickle(client.send(POST + framing + "\r\nX: "));
      assertThat(abused.upstream.received).hasSize(1);
      abused.assertSound();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Content-Length: 100000\r\n\r\nx",
        "Transfer-Encoding: chunked\r\n\r\n5000\r\nx",
        "Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n1;"
      })
  void slowBodyHoldsNothing(String rest) throws IOException {
    try (AbusedGateway abused = started();
        RawHttp client = abused.connect()) {
      client.send(POST + rest);
      abused.gateway.awaitInFlight(1);
      trickle(client);
      assertThat(answer(client)).matches("(?s)(HTTP/1.1 408 .*)?");
      Await.until("the upstream is left", LIMIT, () -> abused.upstream.open() == 0);
      assertThat(abused.upstream.received).as("complete requests").isEmpty();
      assertThat(abused.gateway.metrics()).contains("outcome=\"slow-client\"} 1");
      abused.assertSound();
    }
  }

  @Test
  void slowBodyOverHttp2HoldsNothing() throws IOException {
    try (AbusedGateway abused = started();
        RawHttp client = abused.connect()) {
      RawHttp2 http2 = abused.http2(client);
      http2.send(
          RawHttp2.HEADERS,
          RawHttp2.END_HEADERS,
          1,
          RawHttp2.headers(
              ":method", "POST", ":scheme", "http", ":authority", "a", ":path", "/slow"));
      http2.send(RawHttp2.DATA, 0, 1, new byte[1]);
      assertThat(http2.readStatus()).isEqualTo(408);
      assertThat(abused.gateway.metrics()).contains("outcome=\"slow-client\"} 1");
      assertThat(abused.upstream.received).as("complete requests").isEmpty();
      abused.assertSound();
    }
  }

  /** An upstream that answers early leaves a client that still sends. */
  @Test
  void restOfABodyAfterTheAnswerHoldsNothing() throws IOException {
    ScriptedUpstream early = ScriptedUpstream.beforeBodies(AbusedGateway::echo);
    try (AbusedGateway abused = AbusedGateway.impatient(early, TIME);
        RawHttp client = abused.connect()) {
      client.send(POST + "Content-Length: 100000\r\n\r\nx");
      assertThat(client.readUntil("/slow")).startsWith("HTTP/1.1 200");
      Await.until("the upstream is left", LIMIT, () -> early.open() == 0);
      abused.assertSound();
    }
  }
}
