package dev.weir.server;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** A hand-written HTTP/2 client, for protocol violations that no library allows. */
public final class RawGrpc implements AutoCloseable {
  public static final int DATA = 0;
  static final int HEADERS = 1;
  public static final int RESET = 3;
  static final int SETTINGS = 4;
  static final int GO_AWAY = 7;
  public static final int WINDOW_UPDATE = 8;
  static final int CONTINUATION = 9;
  public static final int END_STREAM = 1;
  static final int END_HEADERS = 4;
  static final int PRIORITY = 0x20;

  private static final int INITIAL_WINDOW = 4;
  private static final byte[] CALL = call();

  private final Socket socket;
  private final InputStream in;
  private final OutputStream out;
  private byte[] payload = {};

  /** A received frame. */
  public record Frame(int kind, int flags, int stream) {
    /** Whether it ends its stream. */
    boolean isLast() {
      boolean ends = (flags & END_STREAM) != 0;
      return kind == RESET || (ends && (kind == HEADERS || kind == DATA));
    }
  }

  /**
   * Connects.
   *
   * @param window the initial flow-control window for responses
   */
  public RawGrpc(int port, int window) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(20_000);
    in = new BufferedInputStream(socket.getInputStream());
    out = socket.getOutputStream();
    out.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII));
    byte[] setting = ByteBuffer.allocate(6).putShort((short) INITIAL_WINDOW).putInt(window).array();
    send(SETTINGS, 0, 0, setting);
  }

  /** Literals without indexing. */
  private static byte[] call() {
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

  public void send(int kind, int flags, int stream, byte[] payload) throws IOException {
    out.write(
        ByteBuffer.allocate(9 + payload.length)
            .put((byte) (payload.length >> 16))
            .putShort((short) payload.length)
            .put((byte) kind)
            .put((byte) flags)
            .putInt(stream)
            .put(payload)
            .array());
  }

  /** Begins a call without its message. */
  void open(int stream) throws IOException {
    send(HEADERS, END_HEADERS, stream, CALL);
  }

  /** Begins a POST without its body. */
  void post(int stream, String path, String type) throws IOException {
    ByteArrayOutputStream fields = new ByteArrayOutputStream();
    fields.writeBytes(new byte[] {(byte) 0x83, (byte) 0x86, 1, 1, 'x', 4});
    text(fields, path);
    fields.writeBytes(new byte[] {15, 16});
    text(fields, type);
    send(HEADERS, END_HEADERS, stream, fields.toByteArray());
  }

  public void get(int stream, String path, boolean end) throws IOException {
    get(stream, path, end, 0);
  }

  /**
   * Sends a GET.
   *
   * @param end whether to end the stream
   * @param fields the number of additional fields, with empty values
   */
  public void get(int stream, String path, boolean end, int fields) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    head.writeBytes(new byte[] {(byte) 0x82, (byte) 0x86, 1, 1, 'x', 4});
    text(head, path);
    repeat(head, fields);
    send(HEADERS, END_HEADERS | (end ? END_STREAM : 0), stream, head.toByteArray());
  }

  /** Sends trailers with so many fields, and ends the stream. */
  public void fields(int stream, int fields) throws IOException {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    repeat(block, fields);
    send(HEADERS, END_HEADERS | END_STREAM, stream, block.toByteArray());
  }

  private static void repeat(ByteArrayOutputStream block, int fields) {
    if (fields > 0) {
      block.writeBytes(new byte[] {0x40, 1, 'a', 0}); // indexed as the first of the dynamic table
      byte[] again = new byte[fields - 1];
      Arrays.fill(again, (byte) (0x80 | 62));
      block.writeBytes(again);
    }
  }

  /** The last payload as text. */
  public String text() {
    return new String(payload, US_ASCII);
  }

  /** The next frame that ends a stream. */
  public Frame last() throws IOException {
    for (Frame frame = read(); frame.kind != -1; frame = read()) {
      if (frame.isLast()) {
        return frame;
      }
      if (frame.kind == GO_AWAY) {
        break;
      }
    }
    throw new IOException("closed");
  }

  /** A complete call. */
  void call(int stream, byte[] message) throws IOException {
    open(stream);
    ByteBuffer framed = ByteBuffer.allocate(5 + message.length);
    send(
        DATA, END_STREAM, stream, framed.put((byte) 0).putInt(message.length).put(message).array());
  }

  /** The next frame; of kind -1 at the end of the connection. */
  Frame read() throws IOException {
    byte[] head = in.readNBytes(9);
    if (head.length < 9) {
      return new Frame(-1, 0, 0);
    }
    ByteBuffer numbers = ByteBuffer.wrap(head);
    int length = numbers.getInt(0) >>> 8;
    payload = in.readNBytes(length);
    return new Frame(head[3], head[4], numbers.getInt(5));
  }

  /** Reads until the server closes the connection. */
  public void awaitClosed() throws IOException {
    try {
      while (read().kind != -1) {
        // skip
      }
    } catch (SocketException e) {
      // closed with unread data
    }
  }

  /** The first number of the last payload: in GOAWAY, the last stream that is served. */
  public int number() {
    return ByteBuffer.wrap(payload).getInt();
  }

  /** The first byte of the last header block: usually the indexed status. */
  int firstField(Frame headers) {
    return Byte.toUnsignedInt(payload[(headers.flags & PRIORITY) == 0 ? 0 : 5]);
  }

  /** Waits until a number of calls have ended. */
  void awaitLast(int calls) throws IOException {
    for (int ended = 0; ended < calls; ) {
      Frame frame = read();
      if (frame.kind == -1) {
        throw new IOException("closed after " + ended + " of " + calls);
      }
      ended += frame.isLast() ? 1 : 0;
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
