package dev.weir.testkit;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A hand-written HTTP/2 connection, for what no library sends. It follows the protocol as far as an
 * attack needs it. Not thread-safe.
 */
public final class RawHttp2 {
  /** The type of a frame with a part of a body. */
  public static final int DATA = 0;

  /** The type of a frame that begins a list of headers. */
  public static final int HEADERS = 1;

  /** The type of a frame that resets a stream. */
  public static final int RESET = 3;

  /** The type of a frame with settings. */
  public static final int SETTINGS = 4;

  /** The type of a frame that asks for an answer. */
  public static final int PING = 6;

  /** The type of a frame that ends a connection. */
  public static final int GO_AWAY = 7;

  /** The type of a frame that opens a window. */
  public static final int WINDOW_UPDATE = 8;

  /** The type of a frame that continues a list of headers. */
  public static final int CONTINUATION = 9;

  /** The flag of the last frame of a request. */
  public static final int END_STREAM = 1;

  /** The flag of the last frame of a list of headers. */
  public static final int END_HEADERS = 4;

  private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
  private static final int INITIAL_WINDOW = 4;
  private static final int FRAME_BYTES = 16_384;
  private static final int HEAD_BYTES = 9;
  private static final int SHORT_TEXT = 127;
  private static final int CONNECTION = 0;
  private static final int PADDED = 8;
  private static final int PRIORITY = 0x20;
  private static final int PRIORITY_BYTES = 5;
  private static final List<Integer> STATUSES = List.of(200, 204, 206, 304, 400, 404, 500);
  private static final int FIRST_STATUS = 0x88;
  private static final int LITERAL_STATUS = 0x48;
  private static final int STATUS_CHARS = 3;
  private static final int POLL_MILLIS = 500;

  private final Socket socket;
  private final InputStream in;
  private final OutputStream out;

  /** The send window of each stream. */
  private final Map<Integer, Long> windows = new HashMap<>();

  private final Set<Integer> refused = new HashSet<>();
  private long initialWindow = 65_535;
  private boolean closed;

  /**
   * A frame that has come.
   *
   * @param status that of a response, in the frame that begins its headers; 0 in others
   */
  public record Frame(int kind, int flags, int stream, int status) {}

  /**
   * Opens the connection.
   *
   * @param window the initial window for responses, in bytes
   * @throws IOException if the server closes the connection
   */
  public RawHttp2(Socket socket, int window) throws IOException {
    this.socket = socket;
    in = new BufferedInputStream(socket.getInputStream());
    out = socket.getOutputStream();
    windows.put(CONNECTION, initialWindow);
    out.write(PREFACE.getBytes(US_ASCII));
    byte[] setting = ByteBuffer.allocate(6).putShort((short) INITIAL_WINDOW).putInt(window).array();
    send(SETTINGS, 0, CONNECTION, setting);
  }

  /**
   * Sends a frame.
   *
   * @throws IOException if the server has closed the connection
   */
  public void send(int kind, int flags, int stream, byte[] payload) throws IOException {
    out.write(frame(kind, flags, stream, payload));
  }

  /**
   * Sends bytes as they are.
   *
   * @throws IOException if the server has closed the connection
   */
  public void send(byte[] frames) throws IOException {
    out.write(frames);
  }

  /**
   * Sends bytes on a stream as its window allows; fewer if the server resets the stream or does not
   * open the window.
   *
   * @throws IOException if the server has closed the connection
   */
  public void fill(int stream, byte[] first, long bytes) throws IOException {
    windows.put(stream, initialWindow);
    byte[] next = first;
    for (long left = bytes; left > 0 && !closed && !refused.contains(stream); ) {
      long window = Math.min(window(CONNECTION), window(stream));
      if (window <= 0) {
        if (!readIfAny()) {
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

  /** Reads the next frame; returns false if none comes for a while. */
  private boolean readIfAny() throws IOException {
    try {
      socket.setSoTimeout(POLL_MILLIS);
      closed |= read() == null;
      return true;
    } catch (SocketTimeoutException e) {
      return false;
    }
  }

  /**
   * The next frame; null if the server has closed the connection.
   *
   * @throws IOException if none comes within the timeout of the socket
   */
  public @Nullable Frame read() throws IOException {
    byte[] head = in.readNBytes(HEAD_BYTES);
    if (head.length < HEAD_BYTES) {
      return null;
    }
    ByteBuffer numbers = ByteBuffer.wrap(head);
    int stream = numbers.getInt(5);
    byte[] bytes = in.readNBytes(numbers.getInt(0) >>> 8);
    ByteBuffer payload = ByteBuffer.wrap(bytes);
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
    int status = head[3] == HEADERS ? status(head[4], bytes) : 0;
    return new Frame(head[3], head[4], stream, status);
  }

  /**
   * The status of the next response; 0 if the server resets the stream, or closes the connection.
   *
   * @throws IOException if nothing comes within the timeout of the socket
   */
  public int readStatus() throws IOException {
    try {
      for (Frame frame = read(); frame != null; frame = read()) {
        if (frame.kind == HEADERS) {
          return frame.status;
        }
        if (frame.kind == RESET || frame.kind == GO_AWAY) {
          return 0;
        }
      }
    } catch (SocketException reset) {
      // As good as closed.
    }
    return 0;
  }

  /** The status, which comes first: from the static table, or as a text without compression. */
  private static int status(int flags, byte[] payload) {
    int at = ((flags & PADDED) == 0 ? 0 : 1) + ((flags & PRIORITY) == 0 ? 0 : PRIORITY_BYTES);
    int first = payload[at] & 0xFF;
    if (first >= FIRST_STATUS && first < FIRST_STATUS + STATUSES.size()) {
      return STATUSES.get(first - FIRST_STATUS);
    }
    boolean literal = first == LITERAL_STATUS && payload[at + 1] == STATUS_CHARS;
    return literal ? Integer.parseInt(new String(payload, at + 2, STATUS_CHARS, US_ASCII)) : 0;
  }

  /**
   * Waits until the server has closed the connection.
   *
   * @throws IOException if it resets the connection
   * @throws IllegalStateException if it does not close the connection in time
   */
  public void awaitClose(int millis) throws IOException {
    socket.setSoTimeout(millis);
    try {
      while (in.read() >= 0) {
        in.skip(in.available());
      }
    } catch (SocketTimeoutException e) {
      throw new IllegalStateException("the server did not close the connection", e);
    }
  }

  /** The bytes of a frame. */
  public static byte[] frame(int kind, int flags, int stream, byte[] payload) {
    return ByteBuffer.allocate(HEAD_BYTES + payload.length)
        .put((byte) (payload.length >> 16))
        .putShort((short) payload.length)
        .put((byte) kind)
        .put((byte) flags)
        .putInt(stream)
        .put(payload)
        .array();
  }

  /** The bytes of many frames, each made from its index. */
  public static byte[] frames(int count, IntFunction<byte[]> one) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (int i = 0; i < count; i++) {
      all.writeBytes(one.apply(i));
    }
    return all.toByteArray();
  }

  /** A list of headers, in pairs of a name and a value, as literals that nobody indexes. */
  public static byte[] headers(String... namesAndValues) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      all.write(0);
      text(all, namesAndValues[i]);
      text(all, namesAndValues[i + 1]);
    }
    return all.toByteArray();
  }

  /** A text without compression (RFC 7541, 5.2). */
  private static void text(ByteArrayOutputStream all, String text) {
    int length = text.length();
    if (length < SHORT_TEXT) {
      all.write(length);
    } else {
      all.write(SHORT_TEXT);
      int left = length - SHORT_TEXT;
      for (; left > SHORT_TEXT; left >>= 7) {
        all.write(0x80 | (left & 0x7F));
      }
      all.write(left);
    }
    all.writeBytes(text.getBytes(ISO_8859_1));
  }
}
