package dev.weir.gateway;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A connection to a gateway that sends any bytes, and returns what comes back as text. */
final class RawHttp implements AutoCloseable {
  final Socket socket;

  RawHttp(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(30_000);
    socket.setTcpNoDelay(true);
  }

  RawHttp send(String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    socket.getOutputStream().flush();
    return this;
  }

  /** Everything until the gateway closes the connection. */
  String readAll() throws IOException {
    return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
  }

  /** Reads until a text has come, or the connection is closed. */
  String readUntil(String text) throws IOException {
    StringBuilder all = new StringBuilder();
    InputStream in = socket.getInputStream();
    while (all.indexOf(text) < 0) {
      int next = in.read();
      if (next < 0) {
        break;
      }
      all.append((char) next);
    }
    return all.toString();
  }

  /** The answer to a request on a connection of its own, which the request must say to close. */
  static String exchange(int port, String request) throws IOException {
    try (RawHttp http = new RawHttp(port)) {
      return http.send(request).readAll();
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
