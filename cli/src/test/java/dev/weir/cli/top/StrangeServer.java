package dev.weir.cli.top;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Answers each connection to {@code /live} with the same bytes, and any other one with 404. */
final class StrangeServer implements AutoCloseable {
  private static final String NOT_FOUND = "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n";
  private static final String STREAM =
      "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n";

  private final ServerSocket socket;
  private final byte[] answer;

  private StrangeServer(ServerSocket socket, byte[] answer) {
    this.socket = socket;
    this.answer = answer;
  }

  /** Sends such a stream of events, and then ends the connection. */
  static StrangeServer sending(String events) throws IOException {
    return answering(STREAM + events);
  }

  /** Sends such a response. */
  static StrangeServer answering(String response) throws IOException {
    ServerSocket socket = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    byte[] answer = response.getBytes(StandardCharsets.UTF_8);
    StrangeServer server = new StrangeServer(socket, answer);
    Thread thread = new Thread(server::serve, "strange-server");
    thread.setDaemon(true);
    thread.start();
    return server;
  }

  String url() {
    return "http://127.0.0.1:" + socket.getLocalPort();
  }

  private void serve() {
    while (!socket.isClosed()) {
      try (Socket client = socket.accept()) {
        String head = head(client.getInputStream());
        OutputStream out = client.getOutputStream();
        out.write(
            head.startsWith("GET /live ") ? answer : NOT_FOUND.getBytes(StandardCharsets.US_ASCII));
        out.flush();
        client.shutdownOutput();
        client.getInputStream().readAllBytes();
      } catch (IOException e) {
        // The client has seen enough, or this server is closed.
      }
    }
  }

  private static String head(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.length() < 8_192 && head.indexOf("\r\n\r\n") < 0) {
      int next = in.read();
      if (next < 0) {
        break;
      }
      head.append((char) next);
    }
    return head.toString();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
