package dev.weir.cli;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What a client may do to a server that wishes it ill, from an address of its own. */
enum Attack {
  /** Far more connections than there are descriptors, which say nothing. */
  IDLE_CONNECTIONS {
    @Override
    void strike(List<Socket> open, int port, int grpcPort) throws IOException {
      for (int i = 0; i < 1_500; i++) {
        connect(open, i % 2 == 0 ? port : grpcPort);
      }
    }
  },

  /** Bodies of which all but the end is sent. */
  UNFINISHED_BODIES {
    @Override
    void strike(List<Socket> open, int port, int grpcPort) throws IOException {
      byte[] body = new byte[MEGABYTE - 1];
      Arrays.fill(body, (byte) ' ');
      List<String> lines =
          List.of(
              "POST /v1/decide HTTP/1.1",
              "Host: h",
              "Content-Type: application/json",
              "Content-Length: 1048576",
              "",
              "");
      String head = String.join("\r\n", lines);
      for (int i = 0; i < 400; i++) {
        Socket socket = connect(open, port);
        send(socket, head.getBytes(US_ASCII));
        send(socket, body);
      }
    }
  },

  /** Calls whose answers the client does not take. */
  CLOSED_WINDOWS {
    @Override
    void strike(List<Socket> open, int port, int grpcPort) throws IOException {
      for (int i = 0; i < 40; i++) {
        Socket socket = connect(open, grpcPort);
        send(socket, PREFACE.getBytes(US_ASCII));
        byte[] noWindow = ByteBuffer.allocate(6).putShort((short) 4).putInt(0).array();
        send(socket, frame(SETTINGS, 0, 0, noWindow));
        for (int stream = 1; stream < 2_000; stream += 2) {
          send(socket, frame(HEADERS, END_HEADERS, stream, call()));
          send(socket, frame(DATA, END_STREAM, stream, MESSAGE.getBytes(US_ASCII)));
        }
      }
    }
  },

  /** Messages of four megabytes of which all but the end is sent. */
  PARTIAL_MESSAGES {
    @Override
    void strike(List<Socket> open, int port, int grpcPort) throws IOException {
      byte[] part = new byte[16_384];
      part[1] = 0;
      part[2] = 0x3f; // the length of the message: almost four megabytes
      for (int i = 0; i < 40; i++) {
        Socket socket = connect(open, grpcPort);
        send(socket, PREFACE.getBytes(US_ASCII));
        send(socket, frame(SETTINGS, 0, 0, new byte[0]));
        for (int stream = 1; stream < 32; stream += 2) {
          send(socket, frame(HEADERS, END_HEADERS, stream, call()));
          for (int j = 0; j < 4; j++) { // as much as the window of a stream allows
            send(socket, frame(DATA, 0, stream, part));
          }
        }
      }
    }
  },

  /** Headers that never end, in frames with nothing in them. */
  EMPTY_CONTINUATIONS {
    @Override
    void strike(List<Socket> open, int port, int grpcPort) throws IOException {
      for (int to : new int[] {port, grpcPort}) {
        Socket socket = connect(open, to);
        send(socket, PREFACE.getBytes(US_ASCII));
        send(socket, frame(SETTINGS, 0, 0, new byte[0]));
        send(socket, frame(HEADERS, 0, 1, call()));
        byte[] empty = frame(CONTINUATION, 0, 1, new byte[0]);
        ByteBuffer many = ByteBuffer.allocate(empty.length * 1_000);
        for (int i = 0; i < 1_000; i++) {
          many.put(empty);
        }
        for (int i = 0; i < 200; i++) {
          send(socket, many.array());
        }
      }
    }
  },

  /** Calls that are taken back at once. */
  RESETS {
    @Override
    void strike(List<Socket> open, int port, int grpcPort) throws IOException {
      for (int to : new int[] {port, grpcPort}) {
        Socket socket = connect(open, to);
        send(socket, PREFACE.getBytes(US_ASCII));
        send(socket, frame(SETTINGS, 0, 0, new byte[0]));
        ByteArrayOutputStream many = new ByteArrayOutputStream();
        for (int stream = 1; stream < 40_000; stream += 2) {
          many.writeBytes(frame(HEADERS, END_HEADERS, stream, call()));
          many.writeBytes(frame(RESET, 0, stream, new byte[] {0, 0, 0, 8}));
        }
        send(socket, many.toByteArray());
      }
    }
  },

  /** Requests behind each other whose answers the client does not read. */
  UNREAD_ANSWERS {
    @Override
    void strike(List<Socket> open, int port, int grpcPort) throws IOException {
      byte[] many = "GET /v1/check/x HTTP/1.1\r\nHost: h\r\n\r\n".repeat(20_000).getBytes(US_ASCII);
      for (int i = 0; i < 20; i++) {
        send(connect(open, port), many);
      }
    }
  };

  private static final int MEGABYTE = 1 << 20;
  private static final int DATA = 0;
  private static final int HEADERS = 1;
  private static final int RESET = 3;
  private static final int SETTINGS = 4;
  private static final int CONTINUATION = 9;
  private static final int END_STREAM = 1;
  private static final int END_HEADERS = 4;
  private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

  /** {domain: "d", descriptors: [{entries: [{key: "k", value: "v"}]}]}, with its prefix. */
  private static final String MESSAGE = "\0\0\0\0\15\n\1d\22\10\n\6\n\1k\22\1v";

  /**
   * Does it once. Connections that the server closes are no reason to stop; an interrupt is.
   *
   * @param open takes what stays open
   */
  abstract void strike(List<Socket> open, int port, int grpcPort) throws IOException;

  @SuppressWarnings("AddressSelection") // it is an address, not a name
  private static Socket connect(List<Socket> open, int port) throws IOException {
    if (Thread.currentThread().isInterrupted()) {
      throw new InterruptedIOException("the attack is over");
    }
    Socket socket = new Socket();
    open.add(socket);
    socket.setTcpNoDelay(true);
    try {
      socket.bind(new InetSocketAddress("127.0.0.2", 0));
      socket.connect(new InetSocketAddress("127.0.0.1", port), 500);
    } catch (IOException e) {
      socket.close(); // not let in: that is the server's good right
    }
    return socket;
  }

  /** Sends as much as the server takes: it may close the connection, or leave it unread. */
  private static void send(Socket socket, byte[] bytes) {
    if (socket.isClosed() || Thread.currentThread().isInterrupted()) {
      return;
    }
    try {
      OutputStream out = socket.getOutputStream();
      for (int from = 0; from < bytes.length; from += 65_536) {
        out.write(bytes, from, Math.min(65_536, bytes.length - from));
      }
    } catch (IOException e) {
      close(socket);
    }
  }

  static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  static void closeAll(List<Socket> open) {
    new ArrayList<>(open).forEach(Attack::close);
    open.clear();
  }

  private static byte[] frame(int kind, int flags, int stream, byte[] payload) {
    return ByteBuffer.allocate(9 + payload.length)
        .put((byte) (payload.length >> 16))
        .putShort((short) payload.length)
        .put((byte) kind)
        .put((byte) flags)
        .putInt(stream)
        .put(payload)
        .array();
  }

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
}
