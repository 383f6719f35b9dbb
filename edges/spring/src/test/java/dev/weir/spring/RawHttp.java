package dev.weir.spring;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** A connection to an application, on which requests may be sent before there is a response. */
final class RawHttp implements AutoCloseable {
  private static final String LENGTH = "content-length: ";

  private final Socket socket;
  private final InputStream in;

  RawHttp(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(30_000);
    socket.setTcpNoDelay(true);
    in = new BufferedInputStream(socket.getInputStream());
  }

  /** Sends requests without a body, all at once. */
  void send(String... requests) throws IOException {
    StringBuilder all = new StringBuilder();
    for (String request : requests) {
      all.append(request).append(" HTTP/1.1\r\nHost: localhost\r\n\r\n");
    }
    socket.getOutputStream().write(all.toString().getBytes(StandardCharsets.ISO_8859_1));
  }

  /** The next response; if it does not come, the error has what came. */
  String response() throws IOException {
    StringBuilder got = new StringBuilder();
    try {
      while (got.indexOf("\r\n\r\n") < 0) {
        got.append(next(got));
      }
      String head = got.toString().toLowerCase(Locale.ROOT);
      int from = head.indexOf(LENGTH) + LENGTH.length();
      int length = Integer.parseInt(head.substring(from, head.indexOf("\r\n", from)));
      for (int i = 0; i < length; i++) {
        got.append(next(got));
      }
    } catch (SocketTimeoutException e) {
      throw new AssertionError("no whole response in time; received: '" + got + "'", e);
    }
    return got.toString();
  }

  private char next(StringBuilder got) throws IOException {
    int next = in.read();
    if (next < 0) {
      throw new AssertionError("the connection was closed; received: '" + got + "'");
    }
    return (char) next;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
