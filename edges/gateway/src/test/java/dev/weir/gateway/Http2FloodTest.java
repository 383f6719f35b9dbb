package dev.weir.gateway;

import static dev.weir.testkit.RawHttp2.frame;
import static dev.weir.testkit.RawHttp2.frames;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.RawHttp2;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.SocketException;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Floods of HTTP/2 frames: the gateway ends the connection, and everybody else is served. */
class Http2FloodTest {
  private static final int CLOSE_MILLIS = 60_000;
  private static final int MAX_ROUNDS = 2_000;
  private static final int FRAMES = 500;
  private static final byte[] CANCEL = {0, 0, 0, 8};

  private static final AbusedGateway abused = AbusedGateway.start();

  @BeforeEach
  void begin() {
    abused.begin();
  }

  @AfterAll
  static void close() throws IOException {
    abused.close();
  }

  static byte[] request(String method, String target) {
    return RawHttp2.headers(
        ":method", method, ":scheme", "http", ":authority", "a", ":path", target);
  }

  /**
   * Sends frames until the gateway closes the connection.
   *
   * @param first is sent once, before the others
   * @param round makes the frames of a round
   * @return whether the connection was closed before all rounds were sent
   */
  private boolean flood(byte[] first, IntFunction<byte[]> round) throws IOException {
    try (RawHttp client = abused.connect()) {
      RawHttp2 http2 = abused.http2(client);
      try {
        http2.send(first);
        for (int i = 0; i < MAX_ROUNDS; i++) {
          http2.send(round.apply(i));
        }
        http2.awaitClose(CLOSE_MILLIS);
        return false;
      } catch (SocketException closed) {
        return true;
      }
    }
  }

  private static int stream(int round, int frame) {
    return 1 + 2 * (round * FRAMES + frame);
  }

  /** Begins requests and resets each of them, until the gateway closes the connection. */
  private boolean floodOfResets(IntFunction<byte[]> request) throws IOException {
    return flood(
        new byte[0],
        round ->
            frames(
                FRAMES,
                i -> {
                  int stream = stream(round, i);
                  ByteArrayOutputStream all = new ByteArrayOutputStream();
                  all.writeBytes(request.apply(stream));
                  all.writeBytes(frame(RawHttp2.RESET, 0, stream, CANCEL));
                  return all.toByteArray();
                }));
  }

  @Test
  void rapidResets() throws IOException {
    byte[] get = request("GET", "/reset");
    int flags = RawHttp2.END_HEADERS | RawHttp2.END_STREAM;
    assertThat(floodOfResets(stream -> frame(RawHttp2.HEADERS, flags, stream, get))).isTrue();
    assertThat(abused.upstream.received.size()).isLessThan(2 * FRAMES);
    abused.assertSound();
  }

  @Test
  void resetsAfterData() throws IOException {
    byte[] post = request("POST", "/data");
    boolean closed =
        floodOfResets(
            stream -> {
              ByteArrayOutputStream both = new ByteArrayOutputStream();
              both.writeBytes(frame(RawHttp2.HEADERS, RawHttp2.END_HEADERS, stream, post));
              both.writeBytes(frame(RawHttp2.DATA, 0, stream, new byte[8]));
              return both.toByteArray();
            });
    assertThat(closed).isTrue();
    assertThat(abused.upstream.received).as("complete requests").isEmpty();
    abused.assertSound();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 1_000})
  void continuationsWithoutEnd(int bytes) throws IOException {
    byte[] part = bytes == 0 ? new byte[0] : RawHttp2.headers("x", "y".repeat(bytes));
    byte[] many = frames(FRAMES, i -> frame(RawHttp2.CONTINUATION, 0, 1, part));
    boolean closed =
        flood(frame(RawHttp2.HEADERS, 0, 1, request("GET", "/endless")), round -> many);
    assertThat(closed).isTrue();
    abused.assertUntouched();
  }

  @Test
  void pings() throws IOException {
    byte[] many = frames(FRAMES, i -> frame(RawHttp2.PING, 0, 0, new byte[8]));
    assertThat(flood(new byte[0], round -> many)).isTrue();
    abused.assertUntouched();
  }

  @Test
  void settings() throws IOException {
    byte[] many = frames(FRAMES, i -> frame(RawHttp2.SETTINGS, 0, 0, new byte[0]));
    assertThat(flood(new byte[0], round -> many)).isTrue();
    abused.assertUntouched();
  }

  /** Frames that cost nothing to send, on a stream that waits for its body. */
  @Test
  void emptyData() throws IOException {
    byte[] many = frames(FRAMES, i -> frame(RawHttp2.DATA, 0, 1, new byte[0]));
    boolean closed =
        flood(
            frame(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 1, request("POST", "/empty")),
            round -> many);
    assertThat(closed).isTrue();
    assertThat(abused.upstream.received).as("complete requests").isEmpty();
    abused.assertSound();
  }
}
