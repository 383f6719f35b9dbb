package dev.weir.cli.attack;

import dev.weir.cli.ServerProcess;
import dev.weir.testkit.RawHttp2;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Attacks a server from 127.0.0.2 until it is stopped. */
final class Attacker {
  private static final int CLOSE_TIMEOUT_MILLIS = 60_000;
  private static final int MAX_ROUNDS = 5_000;
  private static final int MAX_OPEN = 3_000;

  final int port;
  final int grpcPort;
  private final List<Socket> open = Collections.synchronizedList(new ArrayList<>());
  private final AtomicInteger connections = new AtomicInteger();
  private final AtomicInteger closed = new AtomicInteger();
  private final Thread thread;
  private volatile boolean stopped;
  private volatile @Nullable Throwable failure;

  private Attacker(Attack attack, int port, int grpcPort) {
    this.port = port;
    this.grpcPort = grpcPort;
    this.thread = new Thread(() -> attack(attack), "attacker " + attack);
  }

  static Attacker start(Attack attack, ServerProcess server) throws IOException {
    Attacker attacker = new Attacker(attack, server.port(), server.grpcPort());
    attacker.thread.start();
    return attacker;
  }

  private void attack(Attack attack) {
    try {
      while (!stopped) {
        attack.strike(this);
        if (open.size() > MAX_OPEN) {
          closeAll();
        }
      }
    } catch (IOException | RuntimeException e) {
      if (!stopped) {
        failure = e;
      }
    }
  }

  /** The number of connections it has made. */
  int connections() {
    return connections.get();
  }

  /** The number of connections that the server had to close and has closed. */
  int closed() {
    return closed.get();
  }

  /** The exception that ended the attack early; null if none did. */
  @Nullable Throwable failure() {
    return failure;
  }

  /** Opens a connection; returns a closed socket if the server does not accept it. */
  @SuppressWarnings("AddressSelection") // it is an address, not a name
  Socket connect(int to) throws IOException {
    if (stopped) {
      throw new InterruptedIOException("the attack has stopped");
    }
    Socket socket = new Socket();
    open.add(socket);
    socket.setTcpNoDelay(true);
    try {
      socket.bind(new InetSocketAddress("127.0.0.2", 0));
      socket.connect(new InetSocketAddress("127.0.0.1", to), 500);
      connections.incrementAndGet();
    } catch (IOException e) {
      close(socket);
    }
    return socket;
  }

  /** Runs an action on a new connection, until the server closes it. */
  void on(int to, Attack.Action<Socket> action) throws IOException {
    Socket socket = connect(to);
    if (!socket.isClosed()) {
      Attack.run(action, socket);
    }
  }

  /**
   * Repeats an action until the server closes the connection.
   *
   * @throws IllegalStateException if the server does not close it
   */
  void untilClosed(int to, Attack.Action<RawHttp2> first, Attack.RepeatedAction<RawHttp2> repeated)
      throws IOException {
    Socket socket = connect(to);
    if (socket.isClosed()) {
      return;
    }
    try {
      RawHttp2 client = new RawHttp2(socket, 65_535);
      first.run(client);
      for (int round = 0; round < MAX_ROUNDS && !stopped; round++) {
        repeated.run(client, round);
      }
      client.awaitClose(CLOSE_TIMEOUT_MILLIS);
    } catch (IOException e) {
      // closed while it was sending
    }
    close(socket);
    if (!stopped) {
      closed.incrementAndGet();
    }
  }

  static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void closeAll() {
    new ArrayList<>(open).forEach(Attacker::close);
    open.clear();
  }

  /** Ends the attack. */
  void stop() throws InterruptedException {
    stopped = true;
    closeAll();
    thread.join(TimeUnit.MINUTES.toMillis(2));
    closeAll();
    if (thread.isAlive()) {
      throw new IllegalStateException(thread.getName() + " does not stop");
    }
  }
}
