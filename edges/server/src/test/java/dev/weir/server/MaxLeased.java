package dev.weir.server;

import dev.weir.server.store.OneServer;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Samples the leased permits of servers continuously and keeps the maximum of any server. */
final class MaxLeased implements AutoCloseable {
  private static final long PAUSE_NANOS = 100_000;

  private final List<OneServer> servers;
  private final Thread watching = new Thread(this::watch, "max-leased");
  private volatile boolean over;
  private volatile long max;

  MaxLeased(List<OneServer> servers) {
    this.servers = servers;
    watching.start();
  }

  private void watch() {
    while (!over) {
      for (OneServer server : servers) {
        max = Math.max(max, server.held());
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  long maximum() {
    return max;
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
