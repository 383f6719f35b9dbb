package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.redis.Await;
import java.io.IOException;
import java.net.SocketException;
import java.time.Duration;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Upgrades that try to carry requests past the rules. */
class UpgradeSmugglingTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final String HIDDEN = "GET /hidden HTTP/1.1\r\nHost: a\r\n\r\n";
  private static final String KEY =
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n";
  private static final String WEB_SOCKET =
      "GET /chat HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n" + KEY;

  /** An upstream that gives one answer to a WebSocket, and reads what comes next as requests. */
  private static AbusedGateway answering(String answer) {
    return AbusedGateway.of(
        ScriptedUpstream.that(
            (request, socket) -> {
              if (request.target().equals("/chat")) {
                ScriptedUpstream.write(socket, answer);
              } else {
                AbusedGateway.echo(request, socket);
              }
            }),
        "  - {name: hidden, match: {path: /hidden}, limit: 1/30d}\n"
            + "  - {name: one, concurrent: 1}\n");
  }

  private static void assertNoneHidden(AbusedGateway abused) {
    assertThat(abused.upstream.received).noneMatch(one -> one.target().equals("/hidden"));
    abused.assertSound();
  }

  private static String readAll(RawHttp client) throws IOException {
    try {
      return client.readAll();
    } catch (SocketException reset) {
      return "";
    }
  }

  /** A refused upgrade leaves HTTP on both sides: what follows is a request like any other. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 426 Upgrade Required\r\nContent-Length: 2\r\n\r\nno",
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nno",
        "HTTP/1.1 403 Forbidden\r\nUpgrade: websocket\r\nContent-Length: 2\r\n\r\nno"
      })
  void requestsAfterARefusedUpgradeAreCharged(String refusal) throws IOException {
    try (AbusedGateway abused = answering(refusal);
        RawHttp client = abused.connect()) {
      assertThat(client.send(WEB_SOCKET + "\r\n").readUntil("no")).endsWith("\r\n\r\nno");
      assertThat(client.send(HIDDEN).readUntil("/hidden")).contains("HTTP/1.1 200");
      assertThat(client.send(HIDDEN).readUntil("\r\n\r\n")).contains("HTTP/1.1 429");
      assertThat(abused.upstream.received).hasSize(2);
      Await.until("its connection is closed", LIMIT, () -> abused.upstream.open() <= 1);
      abused.assertSound();
    }
  }

  /** The client does not wait for the answer. */
  @Test
  void requestsBehindARefusedUpgradeAreCharged() throws IOException {
    try (AbusedGateway abused =
            answering("HTTP/1.1 426 Upgrade Required\r\nContent-Length: 2\r\n\r\nno");
        RawHttp client = abused.connect()) {
      client.send(
          WEB_SOCKET
              + "\r\n"
              + HIDDEN
              + "GET /hidden HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
      String all = readAll(client);
      assertThat(all).startsWith("HTTP/1.1 426");
      assertThat(abused.upstream.received.stream().filter(one -> one.target().equals("/hidden")))
          .as(all)
          .hasSizeLessThanOrEqualTo(1);
      abused.assertSound();
    }
  }

  /** Some services answer with any status that a client asks for, and stay with HTTP. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 101 Switching Protocols\r\n\r\n",
        "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
        "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            + "Sec-WebSocket-Accept: AAAAAAAAAAAAAAAAAAAAAAAAAAA=\r\n\r\n",
        "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n"
            + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n"
      })
  void switchWithoutProofIsNoTunnel(String answer) throws IOException {
    try (AbusedGateway abused = answering(answer);
        RawHttp client = abused.connect()) {
      client.send(WEB_SOCKET + "\r\n");
      assertThat(client.readUntil("\r\n\r\n")).startsWith("HTTP/1.1 502");
      client.send(HIDDEN + HIDDEN);
      assertThat(client.readUntil("HTTP/1.1 429")).endsWith("HTTP/1.1 429");
      assertThat(abused.upstream.received.stream().filter(one -> one.target().equals("/hidden")))
          .hasSizeLessThanOrEqualTo(1);
      abused.assertSound();
    }
  }

  @Test
  void switchWithProofIsATunnel() throws IOException {
    try (AbusedGateway abused =
            answering(
                "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                    + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n");
        RawHttp client = abused.connect()) {
      String head = client.send(WEB_SOCKET + "\r\n").readUntil("\r\n\r\n");
      assertThat(head)
          .startsWith("HTTP/1.1 101")
          .containsIgnoringCase("X-Request-Id: ")
          .containsIgnoringCase("X-RateLimit-Limit: ")
          .containsIgnoringCase("Upgrade: websocket");
      client.socket.close();
      abused.assertSound();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: ",
        "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c, websocket\r\nHTTP2-Settings: "
      })
  void upgradeToHttp2EndsAtTheGateway(String upgrade) throws IOException {
    String settings = Base64.getUrlEncoder().withoutPadding().encodeToString(new byte[0]);
    try (AbusedGateway abused = answering("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nno");
        RawHttp client = abused.connect()) {
      client.send("GET /first HTTP/1.1\r\nHost: a\r\n" + upgrade + settings + "\r\n\r\n");
      client.readUntil("\r\n\r\n");
      Await.until("it arrives", LIMIT, () -> abused.upstream.received.size() == 1);
      ScriptedUpstream.Received first = abused.upstream.received.get(0);
      assertThat(first.target()).isEqualTo("/first");
      assertThat(first.has("Upgrade")).isFalse();
      assertThat(first.has("HTTP2-Settings")).isFalse();
      assertThat(first.has("Connection")).isFalse();
      client.socket.close();
      assertNoneHidden(abused);
    }
  }

  @Test
  void upgradeToHttp2WithSettingsThatAProxyWouldKeepIsRefused() throws IOException {
    try (AbusedGateway abused = AbusedGateway.start();
        RawHttp client = abused.connect()) {
      client.send(
          "GET /first HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n"
              + "HTTP2-Settings: \r\n\r\n");
      assertThat(client.readUntil("\r\n\r\n")).startsWith("HTTP/1.1 400");
      abused.assertUntouched();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Connection: Upgrade\r\nUpgrade: h2c\r\n",
        "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: \r\n",
        "Connection: Upgrade\r\nUpgrade: websocket\r\n" + KEY
      })
  void bodyOfAnUpgradeIsNoRequest(String upgrade) throws IOException {
    try (AbusedGateway abused = answering("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nno");
        RawHttp client = abused.connect()) {
      client.send(
          "POST /first HTTP/1.1\r\nHost: a\r\n"
              + upgrade
              + "Content-Length: "
              + HIDDEN.length()
              + "\r\n\r\n"
              + HIDDEN);
      client.readUntil("\r\n\r\n");
      client.socket.close();
      abused.gateway.awaitInFlight(0);
      assertThat(abused.upstream.received).allMatch(one -> one.body().equals(HIDDEN));
      assertNoneHidden(abused);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Connection: keep-alive\r\nUpgrade: websocket\r\n" + KEY,
        "Connection: Upgrade\r\nUpgrade: websocket\r\n",
        "Connection: Upgrade\r\nUpgrade: websocket, x\r\n" + KEY,
        "Connection: Upgrade\r\nUpgrade: tls/1.0\r\n" + KEY
      })
  void halfAnUpgradeIsARequestLikeAnyOther(String headers) throws IOException {
    try (AbusedGateway abused = AbusedGateway.start();
        RawHttp client = abused.connect()) {
      client.send("GET /half HTTP/1.1\r\nHost: a\r\n" + headers + "\r\n");
      assertThat(client.readUntil("/half")).startsWith("HTTP/1.1 200");
      assertThat(abused.upstream.received.get(0).has("Upgrade")).isFalse();
      assertThat(abused.upstream.received.get(0).has("Connection")).isFalse();
      abused.assertSound();
    }
  }
}
