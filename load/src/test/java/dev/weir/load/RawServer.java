package dev.weir.load;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** A server that answers every request head with the same bytes. */
final class RawServer implements AutoCloseable {
  private final ServerSocket listener;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final AtomicInteger connections = new AtomicInteger();
  private final byte[] answer;
  private final boolean closes;

  private RawServer(String answer, boolean closes) throws IOException {
    this.answer = answer.getBytes(StandardCharsets.US_ASCII);
    this.closes = closes;
    listener = new ServerSocket(0, 1_000, InetAddress.getLoopbackAddress());
    threads.execute(this::accept);
  }

  static RawServer answering(String answer) throws IOException {
    return new RawServer(answer, false);
  }

  static RawServer closingAfter(String answer) throws IOException {
    return new RawServer(answer, true);
  }

  int port() {
    return listener.getLocalPort();
  }

  int connections() {
    return connections.get();
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = listener.accept();
        connections.incrementAndGet();
        threads.execute(() -> serve(socket));
      }
    } catch (IOException e) {
      // The end of the test.
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      BufferedReader in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
      OutputStream out = socket.getOutputStream();
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        if (line.isEmpty()) {
          out.write(answer);
          out.flush();
          if (closes) {
            return;
          }
        }
      }
    } catch (IOException e) {
      // The client gave up.
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    threads.shutdownNow();
  }
}
