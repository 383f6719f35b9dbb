package dev.weir.cli;

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
  private static final int CUT_MILLIS = 60_000;
  private static final int MAX_ROUNDS = 5_000;
  private static final int MAX_OPEN = 3_000;

  final int port;
  final int grpcPort;
  private final List<Socket> open = Collections.synchronizedList(new ArrayList<>());
  private final AtomicInteger connections = new AtomicInteger();
  private final AtomicInteger cut = new AtomicInteger();
  private final Thread thread;
  private volatile boolean over;
  private volatile @Nullable Throwable failure;

  private Attacker(Attack attack, int port, int grpcPort) {
    this.port = port;
    this.grpcPort = grpcPort;
    this.thread = new Thread(() -> attack(attack), "attacker " + attack);
  }

  static Attacker start(Attack attack, Serving server) throws IOException {
    Attacker attacker = new Attacker(attack, server.port(), server.grpcPort());
    attacker.thread.start();
    return attacker;
  }

  private void attack(Attack attack) {
    try {
      while (!over) {
        attack.strike(this);
        if (open.size() > MAX_OPEN) {
          closeAll();
        }
      }
    } catch (IOException | RuntimeException e) {
      if (!over) {
        failure = e;
      }
    }
  }

  /** How many connections it has made to do harm on. */
  int connections() {
    return connections.get();
  }

  /** How many of its connections the server has closed that had to be. */
  int cut() {
    return cut.get();
  }

  /** What kept it from going on. */
  @Nullable Throwable failure() {
    return failure;
  }

  /** A connection that stays open; closed where the server does not let it in. */
  @SuppressWarnings("AddressSelection") // it is an address, not a name
  Socket connect(int to) throws IOException {
    if (over) {
      throw new InterruptedIOException("the attack is over");
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

  /** Does something on a new connection, as far as the server takes it. */
  void on(int to, Attack.Move<Socket> move) throws IOException {
    Socket socket = connect(to);
    if (!socket.isClosed()) {
      Attack.make(move, socket);
    }
  }

  /**
   * Does something again and again, until the server closes the connection.
   *
   * @throws IllegalStateException if it does not
   */
  void untilCut(int to, Attack.Move<HostileHttp2> first, Attack.Moves<HostileHttp2> again)
      throws IOException {
    Socket socket = connect(to);
    if (socket.isClosed()) {
      return;
    }
    try {
      HostileHttp2 client = new HostileHttp2(socket, 65_535);
      first.make(client);
      for (int round = 0; round < MAX_ROUNDS && !over; round++) {
        again.make(client, round);
      }
      client.awaitCut(CUT_MILLIS);
    } catch (IOException e) {
      // closed while it was sending
    }
    close(socket);
    if (!over) {
      cut.incrementAndGet();
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
    over = true;
    closeAll();
    thread.join(TimeUnit.MINUTES.toMillis(2));
    closeAll();
    if (thread.isAlive()) {
      throw new IllegalStateException(thread.getName() + " goes on");
    }
  }
}
