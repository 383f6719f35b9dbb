package dev.weir.cli.attack;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** A hand-written HTTP/2 connection that follows the protocol as far as an attack needs it. */
final class HostileHttp2 {
  static final int DATA = 0;
  static final int HEADERS = 1;
  static final int RESET = 3;
  static final int SETTINGS = 4;
  static final int GO_AWAY = 7;
  static final int WINDOW_UPDATE = 8;
  static final int CONTINUATION = 9;
  static final int END_STREAM = 1;
  static final int END_HEADERS = 4;
  static final int INITIAL_WINDOW = 4;

  private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
  private static final int FRAME_BYTES = 16_384;
  private static final int CONNECTION = 0;

  private final Socket socket;
  private final InputStream in;
  private final OutputStream out;

  /** The send window of each stream. */
  private final Map<Integer, Long> windows = new HashMap<>();

  private final Set<Integer> refused = new HashSet<>();
  private long initialWindow = 65_535;
  private boolean closed;

  /**
   * Opens the connection.
   *
   * @param window the initial window for responses, in bytes
   */
  HostileHttp2(Socket socket, int window) throws IOException {
    this.socket = socket;
    in = new BufferedInputStream(socket.getInputStream());
    out = socket.getOutputStream();
    windows.put(CONNECTION, initialWindow);
    out.write(PREFACE.getBytes(US_ASCII));
    byte[] setting = ByteBuffer.allocate(6).putShort((short) INITIAL_WINDOW).putInt(window).array();
    send(SETTINGS, 0, CONNECTION, setting);
  }

  void send(int kind, int flags, int stream, byte[] payload) throws IOException {
    out.write(frame(kind, flags, stream, payload));
  }

  void send(byte[] frames) throws IOException {
    out.write(frames);
  }

  /**
   * Sends bytes on a stream as its window allows; fewer if the server resets the stream or does not
   * open the window.
   */
  void fill(int stream, byte[] first, long bytes) throws IOException {
    windows.put(stream, initialWindow);
    byte[] next = first;
    for (long left = bytes; left > 0 && !closed && !refused.contains(stream); ) {
      long window = Math.min(window(CONNECTION), window(stream));
      if (window <= 0) {
        if (!read()) {
          return;
        }
        continue;
      }
      int size = (int) Math.min(Math.min(window, FRAME_BYTES), left);
      byte[] payload = new byte[size];
      System.arraycopy(next, 0, payload, 0, Math.min(next.length, size));
      next = new byte[0];
      send(DATA, 0, stream, payload);
      left -= size;
      windows.merge(CONNECTION, (long) -size, Long::sum);
      windows.merge(stream, (long) -size, Long::sum);
    }
  }

  private long window(int stream) {
    return windows.getOrDefault(stream, 0L);
  }

  /** Reads the next frame; returns false if none arrives for a while. */
  private boolean read() throws IOException {
    byte[] head;
    try {
      socket.setSoTimeout(500);
      head = in.readNBytes(9);
    } catch (SocketTimeoutException e) {
      return false;
    }
    if (head.length < 9) {
      closed = true;
      return true;
    }
    ByteBuffer numbers = ByteBuffer.wrap(head);
    int stream = numbers.getInt(5);
    ByteBuffer payload = ByteBuffer.wrap(in.readNBytes(numbers.getInt(0) >>> 8));
    switch (head[3]) {
      case WINDOW_UPDATE -> windows.merge(stream, (long) payload.getInt(), Long::sum);
      case RESET -> refused.add(stream);
      case GO_AWAY -> closed = true;
      case SETTINGS -> {
        while (payload.remaining() >= 6) {
          int name = payload.getShort();
          long value = payload.getInt();
          initialWindow = name == INITIAL_WINDOW ? value : initialWindow;
        }
      }
      default -> {}
    }
    return true;
  }

  /**
   * Waits until the server has closed the connection.
   *
   * @throws IllegalStateException if the server does not close it
   */
  void awaitClose(int millis) throws IOException {
    socket.setSoTimeout(millis);
    try {
      while (in.read() >= 0) {
        in.skip(in.available());
      }
    } catch (SocketTimeoutException e) {
      throw new IllegalStateException("the server did not close the connection", e);
    }
  }

  static byte[] frame(int kind, int flags, int stream, byte[] payload) {
    return ByteBuffer.allocate(9 + payload.length)
        .put((byte) (payload.length >> 16))
        .putShort((short) payload.length)
        .put((byte) kind)
        .put((byte) flags)
        .putInt(stream)
        .put(payload)
        .array();
  }

  /** The headers of a call. */
  static byte[] call() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(new byte[] {(byte) 0x83, (byte) 0x86, 1, 1, 'x', 4});
    text(out, "/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit");
    out.writeBytes(new byte[] {15, 16});
    text(out, "application/grpc");
    return out.toByteArray();
  }

  private static void text(ByteArrayOutputStream out, String text) {
    out.write(text.length());
    out.writeBytes(text.getBytes(US_ASCII));
  }
}
