package dev.weir.cli.store;

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

/** Answers like Redis 5, as far as a client goes that requires a newer version. */
final class OldRedis implements AutoCloseable {
  private static final String INFO = "# Server\r\nredis_version:5.0.14\r\n";

  private final ServerSocket serverSocket;

  OldRedis() throws IOException {
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
      // Closed: the test is over.
    }
  }

  private static void serve(Socket socket) {
    try (socket) {
      InputStream in = new BufferedInputStream(socket.getInputStream());
      OutputStream out = socket.getOutputStream();
      while (true) {
        int count = number(in); // *2, then $4, INFO, $6, server
        String command = "";
        for (int i = 0; i < count; i++) {
          byte[] argument = in.readNBytes(number(in) + 2);
          command = i == 0 ? new String(argument, StandardCharsets.UTF_8) : command;
        }
        out.write(
            answer(command.strip().toUpperCase(Locale.ROOT)).getBytes(StandardCharsets.UTF_8));
      }
    } catch (IOException e) {
      // The client has disconnected.
    }
  }

  /** Reads the number on a line, after the character that marks its type. */
  private static int number(InputStream in) throws IOException {
    in.read();
    int number = 0;
    for (int digit = in.read(); digit != '\n'; digit = in.read()) {
      if (digit < 0) {
        throw new EOFException();
      }
      number = digit == '\r' ? number : 10 * number + digit - '0';
    }
    return number;
  }

  private static String answer(String command) {
    return switch (command) {
      case "HELLO" -> "-ERR unknown command `HELLO`, with args beginning with: \r\n";
      case "INFO" -> "$" + INFO.length() + "\r\n" + INFO + "\r\n";
      default -> "+OK\r\n";
    };
  }

  @Override
  public void close() throws IOException {
    serverSocket.close();
  }
}
