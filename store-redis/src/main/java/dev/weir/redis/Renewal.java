package dev.weir.redis;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** What to do about a server that is a replica now, while somebody else is the master. */
final class Renewal {
  private final Link link;
  private final Duration patience;
  private final AtomicLong renewedNanos = new AtomicLong(System.nanoTime());

  Renewal(Link link, Duration patience) {
    this.link = link;
    this.patience = patience;
  }

  /** Looks who is the master; but who has just looked is patient. */
  void readOnly(String server) {
    long now = System.nanoTime();
    long last = renewedNanos.get();
    if (now - last > patience.toNanos() && renewedNanos.compareAndSet(last, now)) {
      link.renew(server);
    }
  }
}
