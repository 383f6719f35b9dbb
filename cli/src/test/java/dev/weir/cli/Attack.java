package dev.weir.cli;

import static dev.weir.cli.HostileHttp2.call;
import static dev.weir.cli.HostileHttp2.frame;
import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.util.Arrays;
import java.util.List;

/** What a client may do to a server that wishes it ill, from an address of its own. */
enum Attack {
  /** Far more connections than there are descriptors, which say nothing. */
  IDLE_CONNECTIONS {
    @Override
    void strike(Attacker by) throws IOException {
      for (int i = 0; i < 1_500; i++) {
        by.connect(i % 2 == 0 ? by.port : by.grpcPort);
      }
    }
  },

  /** Bodies of which all but the end is sent. */
  UNFINISHED_BODIES {
    @Override
    void strike(Attacker by) throws IOException {
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
      byte[] head = String.join("\r\n", lines).getBytes(US_ASCII);
      for (int i = 0; i < 400; i++) {
        by.on(
            by.port,
            socket -> {
              socket.getOutputStream().write(head);
              socket.getOutputStream().write(body);
            });
      }
    }
  },

  /** Calls whose answers the client does not take, by the window of each or of all together. */
  CLOSED_WINDOWS {
    @Override
    void strike(Attacker by) throws IOException {
      int[] windows = {0, 1, 65_535};
      for (int i = 0; i < 40; i++) {
        int window = windows[i % windows.length];
        by.on(
            by.grpcPort,
            socket -> {
              HostileHttp2 client = new HostileHttp2(socket, window);
              for (int stream = 1; stream < 2_000; stream += 2) {
                client.send(HostileHttp2.HEADERS, HostileHttp2.END_HEADERS, stream, call());
                client.send(
                    HostileHttp2.DATA, HostileHttp2.END_STREAM, stream, MESSAGE.getBytes(US_ASCII));
              }
            });
      }
    }
  },

  /** Messages of four megabytes of which all but the last byte is sent, as fast as is taken. */
  PARTIAL_MESSAGES {
    @Override
    void strike(Attacker by) throws IOException {
      byte[] prefix = {0, 0, 0x40, 0, 0};
      for (int i = 0; i < 20; i++) {
        by.on(
            by.grpcPort,
            socket -> {
              HostileHttp2 client = new HostileHttp2(socket, 65_535);
              for (int stream = 1; stream < 16; stream += 2) {
                client.send(HostileHttp2.HEADERS, HostileHttp2.END_HEADERS, stream, call());
                client.fill(stream, prefix, prefix.length + 4 * MEGABYTE - 1);
              }
            });
      }
    }
  },

  /** Headers that never end, in frames with nothing in them. */
  EMPTY_CONTINUATIONS {
    @Override
    void strike(Attacker by) throws IOException {
      byte[] many = frames(1_000, i -> frame(HostileHttp2.CONTINUATION, 0, 1, new byte[0]));
      for (int to : new int[] {by.port, by.grpcPort}) {
        by.untilCut(
            to,
            client -> client.send(HostileHttp2.HEADERS, 0, 1, call()),
            (client, round) -> client.send(many));
      }
    }
  },

  /** Calls that are taken back at once. */
  RESETS {
    @Override
    void strike(Attacker by) throws IOException {
      for (int to : new int[] {by.port, by.grpcPort}) {
        by.untilCut(
            to,
            client -> {},
            (client, round) ->
                client.send(
                    frames(
                        1_000,
                        i -> {
                          int stream = 1 + 2 * (round * 1_000 + i);
                          byte[] cancel = {0, 0, 0, 8};
                          ByteArrayOutputStream both = new ByteArrayOutputStream();
                          both.writeBytes(
                              frame(
                                  HostileHttp2.HEADERS, HostileHttp2.END_HEADERS, stream, call()));
                          both.writeBytes(frame(HostileHttp2.RESET, 0, stream, cancel));
                          return both.toByteArray();
                        })));
      }
    }
  },

  /** Requests behind each other whose answers the client does not read. */
  UNREAD_ANSWERS {
    @Override
    void strike(Attacker by) throws IOException {
      byte[] many = "GET /v1/check/x HTTP/1.1\r\nHost: h\r\n\r\n".repeat(20_000).getBytes(US_ASCII);
      for (int i = 0; i < 20; i++) {
        by.on(by.port, socket -> socket.getOutputStream().write(many));
      }
    }
  };

  private static final int MEGABYTE = 1 << 20;

  /** {domain: "d", descriptors: [{entries: [{key: "k", value: "v"}]}]}, with its prefix. */
  private static final String MESSAGE = "\0\0\0\0\15\n\1d\22\10\n\6\n\1k\22\1v";

  /** Something done with a connection. */
  interface Move<C> {
    void make(C connection) throws IOException;
  }

  /** The same, again and again. */
  interface Moves<C> {
    void make(C connection, int round) throws IOException;
  }

  /** Whether a connection that does this must be closed by the server. */
  boolean isCut() {
    return this == EMPTY_CONTINUATIONS || this == RESETS;
  }

  /**
   * Does it once. Connections that the server closes are no reason to stop; that the attack is over
   * is.
   */
  abstract void strike(Attacker by) throws IOException;

  private static byte[] frames(int count, java.util.function.IntFunction<byte[]> one) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (int i = 0; i < count; i++) {
      all.writeBytes(one.apply(i));
    }
    return all.toByteArray();
  }

  /** For {@link Move}s on a socket. */
  static void make(Move<Socket> move, Socket socket) {
    try {
      move.make(socket);
    } catch (IOException e) {
      Attacker.close(socket); // the server has closed it, which is its good right
    }
  }
}
