package dev.weir.server;

import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Looks all the time how much servers hold in advance, and remembers the most that one did. */
final class MostHeld implements AutoCloseable {
  private static final long PAUSE_NANOS = 100_000;

  private final List<OneServer> servers;
  private final Thread watching = new Thread(this::watch, "most-held");
  private volatile boolean over;
  private volatile long most;

  MostHeld(List<OneServer> servers) {
    this.servers = servers;
    watching.start();
  }

  private void watch() {
    while (!over) {
      for (OneServer server : servers) {
        most = Math.max(most, server.held());
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  long most() {
    return most;
  }

  @Override
  public void close() {
    over = true;
    try {
      watching.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
