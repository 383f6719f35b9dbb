package dev.weir.gateway;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A server that reads HTTP/1 requests byte by byte, and answers them as a test says. */
final class ScriptedUpstream implements AutoCloseable {
  private final ServerSocket server;
  private final Script script;
  private final boolean early;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();

  final List<Received> received = new CopyOnWriteArrayList<>();
  final AtomicInteger connections = new AtomicInteger();

  /** A request as it arrived. */
  record Received(String line, List<String> headers, String body) {
    String method() {
      return line.substring(0, line.indexOf(' '));
    }

    String target() {
      return line.substring(line.indexOf(' ') + 1, line.lastIndexOf(' '));
    }

    /** All values of a header. */
    List<String> values(String name) {
      String start = name.toLowerCase(Locale.ROOT) + ":";
      return headers.stream()
          .filter(header -> header.toLowerCase(Locale.ROOT).startsWith(start))
          .map(header -> header.substring(start.length()).strip())
          .toList();
    }

    boolean has(String name) {
      return !values(name).isEmpty();
    }
  }

  /** Answers one request. */
  interface Script {
    /** Writes the answer; closing the socket ends the connection. */
    void answer(Received request, Socket socket) throws IOException, InterruptedException;
  }

  private ScriptedUpstream(Script script, boolean early) throws IOException {
    this.script = script;
    this.early = early;
    this.server = new ServerSocket();
    server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1_000);
    Thread acceptor = new Thread(this::accept, "upstream");
    acceptor.setDaemon(true);
    acceptor.start();
  }

  static ScriptedUpstream that(Script script) {
    return start(script, false);
  }

  /** Answers as soon as the headers of a request have come, and reads the body after that. */
  static ScriptedUpstream beforeBodies(Script script) {
    return start(script, true);
  }

  private static ScriptedUpstream start(Script script, boolean early) {
    try {
      return new ScriptedUpstream(script, early);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Answers everything with 200 and a short body. */
  static ScriptedUpstream friendly() {
    return that((request, socket) -> write(socket, ok("hello")));
  }

  static String ok(String body) {
    return "HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
  }

  static void write(Socket socket, String text) throws IOException {
    OutputStream out = socket.getOutputStream();
    out.write(text.getBytes(StandardCharsets.ISO_8859_1));
    out.flush();
  }

  int port() {
    return server.getLocalPort();
  }

  String url() {
    return "http://127.0.0.1:" + port();
  }

  /** The number of connections that are open. */
  int open() {
    return open.size();
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = server.accept();
        connections.incrementAndGet();
        open.add(socket);
        Thread thread = new Thread(() -> serve(socket), "upstream-connection");
        thread.setDaemon(true);
        thread.start();
      }
    } catch (IOException e) {
      // Closed.
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      socket.setTcpNoDelay(true);
      InputStream in = new BufferedInputStream(socket.getInputStream());
      for (String line = line(in); line != null; line = line(in)) {
        List<String> headers = new CopyOnWriteArrayList<>();
        for (String header = line(in); header != null && !header.isEmpty(); header = line(in)) {
          headers.add(header);
        }
        Received head = new Received(line, List.copyOf(headers), "");
        Received seen = early ? head : new Received(line, head.headers(), body(head, in));
        received.add(seen);
        script.answer(seen, socket);
        if (socket.isClosed()) {
          return;
        }
        if (early) {
          body(head, in);
        }
      }
    } catch (IOException e) {
      // The gateway has closed the connection.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      open.remove(socket);
    }
  }

  private static String body(Received head, InputStream in) throws IOException {
    if (head.has("Content-Length")) {
      return text(in, Integer.parseInt(head.values("Content-Length").get(0)));
    }
    if (!head.has("Transfer-Encoding")) {
      return "";
    }
    StringBuilder all = new StringBuilder();
    while (true) {
      String start = line(in);
      if (start == null) {
        throw new EOFException();
      }
      int size = Integer.parseInt(start.strip(), 16);
      all.append(text(in, size));
      String end = line(in);
      if (size == 0) {
        for (String trailer = end; trailer != null && !trailer.isEmpty(); trailer = line(in)) {}
        return all.toString();
      }
    }
  }

  private static String text(InputStream in, int length) throws IOException {
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new EOFException();
    }
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  private static @Nullable String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        return null;
      }
      line.append((char) next);
    }
    int end = line.length();
    return line.substring(0, end > 0 && line.charAt(end - 1) == '\r' ? end - 1 : end);
  }

  @Override
  public void close() throws IOException {
    server.close();
    for (Socket socket : open) {
      socket.close();
    }
  }
}
