package dev.weir.cli;

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
 * Greets clients of Redis on this machine, and refuses to run scripts: enough for a client to load
 * nearly all the code that it will ever use.
 */
final class RedisStub implements AutoCloseable {
  private static final int MAX_NUMBER = 1 << 20;
  private static final String INFO = "redis_version:7.0.0\r\n";

  private final ServerSocket listening;

  RedisStub() throws IOException {
    listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Main.daemon(this::accept).start();
  }

  int port() {
    return listening.getLocalPort();
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = listening.accept();
        Main.daemon(() -> serve(socket)).start();
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
        int words = number(in);
        String command = "";
        for (int i = 0; i < words; i++) {
          byte[] word = in.readNBytes(number(in) + 2);
          command = i == 0 ? new String(word, StandardCharsets.US_ASCII).strip() : command;
        }
        out.write(answer(command).getBytes(StandardCharsets.US_ASCII));
      }
    } catch (IOException e) {
      // The client has gone.
    }
  }

  private static String answer(String command) {
    return switch (command.toUpperCase(Locale.ROOT)) {
      case "INFO" -> "$" + INFO.length() + "\r\n" + INFO + "\r\n";
      case "HELLO", "EVAL", "EVALSHA" -> "-ERR not here\r\n";
      default -> "+OK\r\n";
    };
  }

  /** The number on a line, after a sign that tells of what it is the number. */
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
    listening.close();
  }
}
