package dev.weir.server;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A connection that sends any bytes and parses what it receives as HTTP/1 responses. */
public final class RawClient implements AutoCloseable {
  private final Socket socket;
  private final InputStream in;
  private final OutputStream out;
  private final Map<String, String> fields = new HashMap<>();

  /** The status of a response and the size of its body. */
  public record Response(int status, int bodyBytes) {}

  public RawClient(int port, int timeoutMillis) throws IOException {
    this(new Socket(InetAddress.getLoopbackAddress(), port), timeoutMillis);
  }

  /**
   * Uses a socket.
   *
   * @param socket a connected socket
   */
  RawClient(Socket socket, int timeoutMillis) throws IOException {
    this.socket = socket;
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(timeoutMillis);
    in = new BufferedInputStream(socket.getInputStream());
    out = socket.getOutputStream();
  }

  public void send(byte[] bytes) throws IOException {
    out.write(bytes);
    out.flush();
  }

  /** Closes the output. */
  void finish() throws IOException {
    socket.shutdownOutput();
  }

  /**
   * The next response, or null if the server closed the connection instead.
   *
   * @param head whether it is the response to a HEAD request
   */
  @Nullable
  public Response read(boolean head) throws IOException {
    String line = line();
    if (line == null) {
      return null;
    }
    if (!line.startsWith("HTTP/1.")) {
      throw new IOException("not a response: " + line);
    }
    int status = Integer.parseInt(line.substring(9, 12));
    int length = -1;
    boolean chunked = false;
    fields.clear();
    for (String field = line(); !"".equals(field); field = line()) {
      if (field == null) {
        throw new IOException("half a response");
      }
      String lower = field.toLowerCase(Locale.ROOT);
      int colon = lower.indexOf(':');
      fields.put(lower.substring(0, Math.max(0, colon)), field.substring(colon + 1).strip());
      if (lower.startsWith("content-length:")) {
        length = Integer.parseInt(lower.substring(15).trim());
      }
      chunked |= lower.startsWith("transfer-encoding:");
    }
    if (chunked) {
      throw new IOException("chunked");
    }
    if (head || status < 200 || status == 204 || status == 304) {
      return new Response(status, 0);
    }
    byte[] body = length < 0 ? in.readAllBytes() : in.readNBytes(length);
    if (length > body.length) {
      throw new IOException("half a body");
    }
    return new Response(status, body.length);
  }

  /** A header of the response read last, by its name in lower case. */
  @Nullable
  public String header(String name) {
    return fields.get(name);
  }

  private @Nullable String line() throws IOException {
    byte[] line = new byte[16 << 10];
    int length = 0;
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        return null;
      }
      line[length++] = (byte) next;
    }
    int end = length > 0 && line[length - 1] == '\r' ? length - 1 : length;
    return new String(line, 0, end, StandardCharsets.ISO_8859_1);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
