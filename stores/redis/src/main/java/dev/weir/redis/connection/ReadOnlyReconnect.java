package dev.weir.redis.connection;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Reconnects after READONLY errors: the node has become a replica, and another node is the master.
 * Thread-safe.
 */
public final class ReadOnlyReconnect {
  private final Link link;
  private final Duration interval;
  private final AtomicLong lastNanos = new AtomicLong(System.nanoTime());

  /**
   * Reconnects through {@code link}.
   *
   * @param interval the minimum time between two attempts
   */
  public ReadOnlyReconnect(Link link, Duration interval) {
    this.link = link;
    this.interval = interval;
  }

  /** Looks up the master again, unless the last lookup is more recent than the interval. */
  public void onReadOnly(String node) {
    long now = System.nanoTime();
    long last = lastNanos.get();
    if (now - last > interval.toNanos() && lastNanos.compareAndSet(last, now)) {
      link.reconnect(node);
    }
  }
}
