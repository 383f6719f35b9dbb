package dev.weir.server.xds;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A TCP proxy that can stop forwarding without closing its connections. */
final class StallingProxy implements AutoCloseable {
  private final ServerSocket door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final List<Socket> lines = new CopyOnWriteArrayList<>();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private volatile boolean frozen;

  private StallingProxy() throws IOException {}

  static StallingProxy to(int port) throws IOException {
    StallingProxy relay = new StallingProxy();
    relay.threads.execute(() -> relay.accept(port));
    return relay;
  }

  int port() {
    return door.getLocalPort();
  }

  void freeze() {
    frozen = true;
  }

  private void accept(int port) {
    try {
      while (true) {
        Socket client = door.accept();
        lines.add(client);
        Socket server = new Socket(InetAddress.getLoopbackAddress(), port);
        lines.add(server);
        threads.execute(() -> copy(client, server));
        threads.execute(() -> copy(server, client));
      }
    } catch (IOException e) {
      // The listener is closed.
    }
  }

  private void copy(Socket from, Socket to) {
    byte[] bytes = new byte[8_192];
    try {
      for (int read = from.getInputStream().read(bytes);
          read >= 0;
          read = from.getInputStream().read(bytes)) {
        if (!frozen) {
          to.getOutputStream().write(bytes, 0, read);
        }
      }
    } catch (IOException e) {
      // The connection is closed.
    }
  }

  @Override
  public void close() throws IOException {
    door.close();
    for (Socket line : lines) {
      line.close();
    }
    threads.shutdownNow();
  }
}
