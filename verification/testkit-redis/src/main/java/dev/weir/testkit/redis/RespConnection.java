package dev.weir.testkit.redis;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A blocking connection to a Redis on this machine, for use by one thread.
 *
 * <p>One char is one byte, in both directions, so that any key survives being read and sent back.
 */
public final class RespConnection implements AutoCloseable {
  private static final int MAX_LINE = 64 << 10;
  private static final int MAX_BULK = 64 << 20;
  private static final int MAX_ELEMENTS = 1 << 20;
  private static final int MAX_DEPTH = 8;

  private final Socket socket = new Socket();
  private final InputStream in;

  private RespConnection(int port, Duration timeout) throws IOException {
    try {
      int millis = Math.toIntExact(timeout.toMillis());
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(millis);
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), millis);
      in = new BufferedInputStream(socket.getInputStream());
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  /**
   * Connects; no call waits longer than {@code timeout} for the next byte.
   *
   * @throws UncheckedIOException if nothing listens on the port
   */
  public static RespConnection open(int port, Duration timeout) {
    try {
      return new RespConnection(port, timeout);
    } catch (IOException e) {
      throw new UncheckedIOException("127.0.0.1:" + port + ": " + e.getMessage(), e);
    }
  }

  /**
   * Sends a command and waits for its reply: a {@code String}, a {@code Long}, a {@code List} of
   * such, or {@code null} for nil. An error inside a list is one of its elements.
   *
   * @throws RedisErrorException if the reply is an error
   * @throws UncheckedIOException if there was no reply; the connection is unusable afterwards
   */
  public @Nullable Object command(String... words) {
    byte[] request = encode(words);
    try {
      socket.getOutputStream().write(request);
      Object reply = read(0);
      if (reply instanceof RedisErrorException error) {
        throw error;
      }
      return reply;
    } catch (IOException e) {
      String where = "127.0.0.1:" + socket.getPort() + ": " + words[0];
      throw new UncheckedIOException(where + ": " + e.getMessage(), e);
    }
  }

  private static byte[] encode(String... words) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(latin("*" + words.length + "\r\n"));
    for (String word : words) {
      out.writeBytes(latin("$" + word.length() + "\r\n" + word + "\r\n"));
    }
    return out.toByteArray();
  }

  private static byte[] latin(String text) {
    if (text.chars().anyMatch(c -> c > 0xFF)) {
      throw new IllegalArgumentException(text.strip() + " (expected: chars up to U+00FF)");
    }
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private @Nullable Object read(int depth) throws IOException {
    String line = line();
    if (line.isEmpty()) {
      throw new IOException("empty line instead of a reply");
    }
    String rest = line.substring(1);
    return switch (line.charAt(0)) {
      case '+' -> rest;
      case '-' -> new RedisErrorException(rest);
      case ':' -> number(rest, Long.MIN_VALUE, Long.MAX_VALUE);
      case '$' -> bulk((int) number(rest, -1, MAX_BULK));
      case '*' -> list((int) number(rest, -1, depth < MAX_DEPTH ? MAX_ELEMENTS : -1), depth + 1);
      default -> throw new IOException("not a reply: " + line);
    };
  }

  private static long number(String text, long min, long max) throws IOException {
    try {
      long value = Long.parseLong(text);
      if (value >= min && value <= max) {
        return value;
      }
    } catch (NumberFormatException e) {
      // Rejected below, like a number out of bounds.
    }
    throw new IOException("bad number in reply: " + text);
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c != '\r'; c = in.read()) {
      if (c < 0) {
        throw new EOFException("connection closed before the reply");
      }
      if (line.length() == MAX_LINE) {
        throw new IOException("line longer than " + MAX_LINE + " bytes in reply");
      }
      line.append((char) c);
    }
    expectNewline();
    return line.toString();
  }

  private @Nullable String bulk(int length) throws IOException {
    if (length < 0) {
      return null;
    }
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length || in.read() != '\r') {
      throw new EOFException("reply cut short");
    }
    expectNewline();
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  private void expectNewline() throws IOException {
    if (in.read() != '\n') {
      throw new IOException("line end missing in reply");
    }
  }

  private @Nullable List<@Nullable Object> list(int size, int depth) throws IOException {
    if (size < 0) {
      return null;
    }
    List<@Nullable Object> elements = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      elements.add(read(depth));
    }
    return elements;
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public String toString() {
    return "127.0.0.1:" + socket.getPort();
  }
}
