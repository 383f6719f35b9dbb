package dev.weir.testkit.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Encoding of commands and decoding of replies. */
class RespConnectionTest {
  private final ServerSocket listener = listen();
  private final RespConnection connection =
      RespConnection.open(listener.getLocalPort(), Duration.ofMillis(200));
  private final Socket peer = accept();

  private static ServerSocket listen() {
    try {
      return new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Socket accept() {
    try {
      return listener.accept();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @AfterEach
  void close() throws IOException {
    connection.close();
    peer.close();
    listener.close();
  }

  private void reply(String bytes) throws IOException {
    peer.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
  }

  @Test
  void readsEveryKindOfReply() throws IOException {
    reply("+OK\r\n:-42\r\n$5\r\na\r\nbc\r\n$0\r\n\r\n$-1\r\n*-1\r\n*0\r\n");
    assertThat(connection.command("A")).isEqualTo("OK");
    assertThat(connection.command("A")).isEqualTo(-42L);
    assertThat(connection.command("A")).isEqualTo("a\r\nbc");
    assertThat(connection.command("A")).isEqualTo("");
    assertThat(connection.command("A")).isNull();
    assertThat(connection.command("A")).isNull();
    assertThat(connection.command("A")).isEqualTo(List.of());
  }

  @Test
  void readsListsInListsWithErrorsAsElements() throws IOException {
    reply("*3\r\n*2\r\n:1\r\n$-1\r\n+x\r\n-ERR no\r\n");
    assertThat(connection.command("A"))
        .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.LIST)
        .startsWith(Arrays.asList(1L, null), "x")
        .last()
        .isInstanceOf(RedisErrorException.class)
        .hasToString("dev.weir.testkit.redis.RedisErrorException: ERR no");
  }

  @Test
  void throwsAnErrorReplyAndStaysUsable() throws IOException {
    reply("-WRONGTYPE of key\r\n+OK\r\n");
    assertThatExceptionOfType(RedisErrorException.class)
        .isThrownBy(() -> connection.command("A"))
        .withMessage("WRONGTYPE of key");
    assertThat(connection.command("A")).isEqualTo("OK");
  }

  @Test
  void sendsCharsAsBytes() throws IOException {
    reply("+OK\r\n");
    connection.command("SET", "\u00ff\r\n", "");
    connection.close();
    byte[] sent = peer.getInputStream().readAllBytes();
    assertThat(new String(sent, StandardCharsets.ISO_8859_1))
        .isEqualTo("*3\r\n$3\r\nSET\r\n$3\r\n\u00ff\r\n\r\n$0\r\n\r\n");
  }

  @Test
  void rejectsCharsAboveOneByte() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> connection.command("GET", "10€"))
        .withMessageContaining("10€ (expected: chars up to U+00FF)");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\r\n",
        "HTTP/1.1 400\r\n",
        ":x\r\n",
        "$-2\r\n",
        "$99999999999\r\n",
        "*9999999\r\n",
        "+OK\rx",
        "$1\r\nabc\r\n",
        "*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n:1\r\n"
      })
  void rejectsAMalformedReply(String bytes) throws IOException {
    reply(bytes);
    assertThatExceptionOfType(UncheckedIOException.class)
        .isThrownBy(() -> connection.command("A"))
        .withMessageStartingWith(connection + ": A: ")
        .withMessageNotContaining("timed out");
  }

  @Test
  void rejectsALineAboveTheMaximum() throws IOException {
    reply("+" + "x".repeat(70_000));
    assertThatExceptionOfType(UncheckedIOException.class)
        .isThrownBy(() -> connection.command("A"))
        .withMessageContaining("line longer than 65536 bytes");
  }

  @Test
  void timesOutWithoutAReply() {
    assertThatExceptionOfType(UncheckedIOException.class)
        .isThrownBy(() -> connection.command("A"))
        .withMessageContaining("timed out");
  }

  @Test
  void reportsThatThePeerClosedTheConnection() throws IOException {
    reply("$10\r\nabc");
    peer.shutdownOutput();
    assertThatExceptionOfType(UncheckedIOException.class)
        .isThrownBy(() -> connection.command("A"))
        .withMessageContaining("reply cut short");
  }
}
