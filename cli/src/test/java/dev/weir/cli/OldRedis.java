package dev.weir.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Answers as a Redis 5 does, as far as anybody gets who wants a newer one. */
final class OldRedis implements AutoCloseable {
  private static final String INFO = "# Server\r\nredis_version:5.0.14\r\n";

  private final ServerSocket listening;

  OldRedis() throws IOException {
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
      // Closed: the test is over.
    }
  }

  private static void serve(Socket socket) {
    try (socket) {
      BufferedReader in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
      OutputStream out = socket.getOutputStream();
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        int words = Integer.parseInt(line.substring(1)); // *2, then $4, INFO, $6, server
        String command = "";
        for (int i = 0; i < words; i++) {
          in.readLine();
          String word = in.readLine();
          command = i == 0 ? String.valueOf(word).toUpperCase(Locale.ROOT) : command;
        }
        out.write(answer(command).getBytes(StandardCharsets.UTF_8));
      }
    } catch (IOException e) {
      // Gone.
    }
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
    listening.close();
  }
}
