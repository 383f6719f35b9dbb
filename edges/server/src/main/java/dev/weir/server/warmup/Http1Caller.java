package dev.weir.server.warmup;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/**
 * A minimal HTTP/1.1 client: one request after the other on a keep-alive connection. Not
 * thread-safe.
 */
public final class Http1Caller implements Caller {
  private static final int MAX_LINE_BYTES = 16 << 10;
  private static final String LENGTH = "content-length:";

  private final Socket socket;
  private final InputStream in;

  /**
   * Uses a connected socket.
   *
   * @throws IOException if the socket is closed
   */
  public Http1Caller(Socket socket) throws IOException {
    this.socket = socket;
    this.in = new BufferedInputStream(socket.getInputStream());
  }

  @Override
  public void call(List<Call> calls) throws IOException {
    for (Call call : calls) {
      send(call);
      receive();
    }
  }

  /**
   * Sends a request; {@link #receive} its response before the next.
   *
   * @throws IOException if the connection fails
   */
  public void send(Call call) throws IOException {
    StringBuilder head = new StringBuilder(call.method()).append(' ').append(call.path());
    head.append(" HTTP/1.1\r\nHost: localhost\r\n");
    call.headers().forEach((name, value) -> head.append(name + ": " + value + "\r\n"));
    if (!call.body().isEmpty()) {
      head.append("Content-Length: ").append(call.body().size()).append("\r\n");
    }
    ByteArrayOutputStream request = new ByteArrayOutputStream();
    request.writeBytes(head.append("\r\n").toString().getBytes(StandardCharsets.US_ASCII));
    call.body().writeTo(request);
    socket.getOutputStream().write(request.toByteArray());
  }

  /**
   * Reads a response to its end, and returns its status.
   *
   * @throws IOException if the connection fails or the response is not HTTP/1
   */
  public int receive() throws IOException {
    String first = line();
    int length = 0;
    for (String line = line(); !line.isEmpty(); line = line()) {
      if (line.regionMatches(true, 0, LENGTH, 0, LENGTH.length())) {
        length = number(line.substring(LENGTH.length()));
      }
    }
    in.skipNBytes(length);
    String[] parts = first.split(" ", 3);
    if (parts.length < 2 || !parts[0].toUpperCase(Locale.ROOT).startsWith("HTTP/1.")) {
      throw new IOException("not an HTTP/1.1 response: " + first);
    }
    return number(parts[1]);
  }

  private static int number(String text) throws IOException {
    try {
      return Integer.parseInt(text.strip());
    } catch (NumberFormatException e) {
      throw new IOException("not a number: " + text, e);
    }
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0 || line.length() > MAX_LINE_BYTES) {
        throw new EOFException("the connection was closed within a response");
      }
      if (next != '\r') {
        line.append((char) next);
      }
    }
    return line.toString();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
