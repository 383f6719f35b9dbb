package dev.weir.server.warmup;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A minimal HTTP/2 client (RFC 9113): sends all calls as concurrent streams, and reads of responses
 * only that they end.
 *
 * <p>It is written by hand because loading a client of Netty or Vert.x would take a starting server
 * more time than the rest of the warm-up, and the client would not be used again.
 *
 * <p>Not thread-safe.
 */
public final class Http2Caller implements Caller {
  private static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private static final int DATA = 0;
  private static final int HEADERS = 1;
  private static final int RST_STREAM = 3;
  private static final int SETTINGS = 4;
  private static final int PING = 6;
  private static final int GOAWAY = 7;
  private static final int WINDOW_UPDATE = 8;

  private static final int ACK = 0x1;
  private static final int END_STREAM = 0x1;
  private static final int END_HEADERS = 0x4;

  private static final int LARGE_WINDOW = 1 << 30;
  private static final int MAX_FRAME_BYTES = 1 << 14;

  private final Socket socket;
  private final DataInputStream in;
  private final DataOutputStream out;
  private final ByteArrayOutputStream written = new ByteArrayOutputStream();
  private int stream = -1;

  /**
   * Sends the connection preface on a connected socket.
   *
   * @throws IOException if the connection fails
   */
  public Http2Caller(Socket socket) throws IOException {
    this.socket = socket;
    this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
    this.out = new DataOutputStream(written);
    out.write(PREFACE);
    frame(SETTINGS, 0, 0, new byte[0]);
    frame(WINDOW_UPDATE, 0, 0, number(LARGE_WINDOW));
    flush();
  }

  @Override
  public void call(List<Call> calls) throws IOException {
    for (Call call : calls) {
      stream += 2;
      boolean empty = call.body().isEmpty();
      frame(HEADERS, END_HEADERS | (empty ? END_STREAM : 0), stream, headers(call));
      if (!empty) {
        frame(DATA, END_STREAM, stream, call.body().toByteArray());
      }
    }
    flush();
    for (int open = calls.size(); open > 0; ) {
      open -= receive() ? 1 : 0;
    }
  }

  /** Reads a frame; returns whether it ended a stream. */
  private boolean receive() throws IOException {
    int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
    int type = in.readUnsignedByte();
    int flags = in.readUnsignedByte();
    int id = in.readInt();
    if (length > MAX_FRAME_BYTES) {
      throw new IOException("a frame of " + length + " bytes");
    }
    byte[] payload = new byte[length];
    in.readFully(payload);
    switch (type) {
      case SETTINGS, PING -> {
        if ((flags & ACK) == 0) {
          frame(type, ACK, 0, type == PING ? payload : new byte[0]);
          flush();
        }
      }
      case RST_STREAM, GOAWAY -> throw new IOException("the server ended stream " + id);
      default -> {
        return (type == DATA || type == HEADERS) && (flags & END_STREAM) != 0;
      }
    }
    return false;
  }

  /** Encodes headers as literals without indexing: no tables and no Huffman (RFC 7541). */
  private static byte[] headers(Call call) {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    literal(block, ":method", call.method());
    literal(block, ":scheme", "http");
    literal(block, ":path", call.path());
    literal(block, ":authority", "localhost");
    call.headers().forEach((name, value) -> literal(block, name, value));
    return block.toByteArray();
  }

  private static void literal(ByteArrayOutputStream block, String name, String value) {
    block.write(0);
    for (String text : List.of(name, value)) {
      byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
      int length = bytes.length;
      if (length < 127) {
        block.write(length);
      } else {
        block.write(127);
        for (length -= 127; length >= 128; length >>= 7) {
          block.write((length & 127) | 128);
        }
        block.write(length);
      }
      block.writeBytes(bytes);
    }
  }

  private static byte[] number(int value) {
    return new byte[] {
      (byte) (value >> 24), (byte) (value >> 16), (byte) (value >> 8), (byte) value
    };
  }

  private void frame(int type, int flags, int id, byte[] payload) throws IOException {
    out.writeByte(payload.length >> 16);
    out.writeShort(payload.length);
    out.writeByte(type);
    out.writeByte(flags);
    out.writeInt(id);
    out.write(payload);
  }

  private void flush() throws IOException {
    out.flush();
    socket.getOutputStream().write(written.toByteArray());
    written.reset();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
