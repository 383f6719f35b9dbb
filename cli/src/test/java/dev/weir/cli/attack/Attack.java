package dev.weir.cli.attack;

import static dev.weir.testkit.RawHttp2.frame;
import static dev.weir.testkit.RawHttp2.frames;
import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.weir.testkit.RawHttp2;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.util.Arrays;
import java.util.List;

/** Attacks of a malicious client on a server, from a separate address. */
enum Attack {
  /** Far more idle connections than the server has file descriptors. */
  IDLE_CONNECTIONS {
    @Override
    void strike(Attacker by) throws IOException {
      for (int i = 0; i < 1_500; i++) {
        by.connect(i % 2 == 0 ? by.port : by.grpcPort);
      }
    }
  },

  /** Request bodies that lack their last byte. */
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

  /** Calls whose responses the client blocks by flow control, per stream or per connection. */
  CLOSED_WINDOWS {
    @Override
    void strike(Attacker by) throws IOException {
      int[] windows = {0, 1, 65_535};
      for (int i = 0; i < 40; i++) {
        int window = windows[i % windows.length];
        by.on(
            by.grpcPort,
            socket -> {
              RawHttp2 client = new RawHttp2(socket, window);
              for (int stream = 1; stream < 2_000; stream += 2) {
                client.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, stream, call());
                client.send(RawHttp2.DATA, RawHttp2.END_STREAM, stream, MESSAGE.getBytes(US_ASCII));
              }
            });
      }
    }
  },

  /** Messages of four megabytes that lack their last byte, sent as fast as the server reads. */
  PARTIAL_MESSAGES {
    @Override
    void strike(Attacker by) throws IOException {
      byte[] prefix = {0, 0, 0x40, 0, 0};
      for (int i = 0; i < 20; i++) {
        by.on(
            by.grpcPort,
            socket -> {
              RawHttp2 client = new RawHttp2(socket, 65_535);
              for (int stream = 1; stream < 16; stream += 2) {
                client.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, stream, call());
                client.fill(stream, prefix, prefix.length + 4 * MEGABYTE - 1);
              }
            });
      }
    }
  },

  /** Headers that never end, in empty CONTINUATION frames. */
  EMPTY_CONTINUATIONS {
    @Override
    void strike(Attacker by) throws IOException {
      byte[] many = frames(1_000, i -> frame(RawHttp2.CONTINUATION, 0, 1, new byte[0]));
      for (int to : new int[] {by.port, by.grpcPort}) {
        by.untilClosed(
            to,
            client -> client.send(RawHttp2.HEADERS, 0, 1, call()),
            (client, round) -> client.send(many));
      }
    }
  },

  /** Calls that are reset at once. */
  RESETS {
    @Override
    void strike(Attacker by) throws IOException {
      for (int to : new int[] {by.port, by.grpcPort}) {
        by.untilClosed(
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
                              frame(RawHttp2.HEADERS, RawHttp2.END_HEADERS, stream, call()));
                          both.writeBytes(frame(RawHttp2.RESET, 0, stream, cancel));
                          return both.toByteArray();
                        })));
      }
    }
  },

  /** Pipelined requests whose responses the client does not read. */
  UNREAD_RESPONSES {
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

  /** An action on a connection. */
  interface Action<C> {
    void run(C connection) throws IOException;
  }

  /** An action on a connection that is repeated in rounds. */
  interface RepeatedAction<C> {
    void run(C connection, int round) throws IOException;
  }

  /** Whether the server must close a connection with this attack. */
  boolean mustBeClosed() {
    return this == EMPTY_CONTINUATIONS || this == RESETS;
  }

  /**
   * Runs the attack once. It continues when the server closes connections, and throws when the
   * attacker has stopped.
   */
  abstract void strike(Attacker by) throws IOException;

  /** The headers of a call. */
  private static byte[] call() {
    return RawHttp2.headers(
        ":method",
        "POST",
        ":scheme",
        "http",
        ":authority",
        "x",
        ":path",
        "/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit",
        "content-type",
        "application/grpc");
  }

  /** Runs an action on a socket, and closes the socket if the action fails. */
  static void run(Action<Socket> action, Socket socket) {
    try {
      action.run(socket);
    } catch (IOException e) {
      Attacker.close(socket); // the server may close it at any time
    }
  }
}
