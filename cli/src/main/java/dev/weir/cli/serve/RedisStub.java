package dev.weir.cli.serve;

import dev.weir.cli.command.DaemonThreads;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * A minimal Redis server on a free local port that rejects scripts. A client that connects loads
 * nearly all classes that it will ever use.
 */
final class RedisStub implements AutoCloseable {
  private static final int MAX_NUMBER = 1 << 20;
  private static final String INFO = "redis_version:7.0.0\r\n";

  private final ServerSocket serverSocket;

  RedisStub() throws IOException {
    serverSocket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    DaemonThreads.create(this::accept).start();
  }

  int port() {
    return serverSocket.getLocalPort();
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = serverSocket.accept();
        DaemonThreads.create(() -> serve(socket)).start();
      }
    } catch (IOException e) {
      // Closed.
    }
  }

  private static void serve(Socket socket) {
    try (socket) {
      InputStream in = new BufferedInputStream(socket.getInputStream());
      OutputStream out = socket.getOutputStream();
      while (true) {
        int count = number(in);
        String command = "";
        for (int i = 0; i < count; i++) {
          byte[] argument = in.readNBytes(number(in) + 2);
          command = i == 0 ? new String(argument, StandardCharsets.US_ASCII).strip() : command;
        }
        out.write(answer(command).getBytes(StandardCharsets.US_ASCII));
      }
    } catch (IOException e) {
      // The client has disconnected.
    }
  }

  private static String answer(String command) {
    return switch (command.toUpperCase(Locale.ROOT)) {
      case "INFO" -> "$" + INFO.length() + "\r\n" + INFO + "\r\n";
      case "HELLO", "EVAL", "EVALSHA" -> "-ERR not here\r\n";
      default -> "+OK\r\n";
    };
  }

  /** Reads the number on a line, after the character that marks its type. */
  private static int number(InputStream in) throws IOException {
    in.skipNBytes(1);
    int number = 0;
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0 || number > MAX_NUMBER) {
        throw new EOFException();
      }
      number = next == '\r' ? number : number * 10 + next - '0';
    }
    return number;
  }

  @Override
  public void close() throws IOException {
    serverSocket.close();
  }
}
