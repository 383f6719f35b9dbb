package dev.weir.server.xds;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Exponential backoff with jitter: each delay is twice the last, up to a maximum, and randomly
 * shorter or longer, so that the servers of a fleet do not reconnect all at once. Not thread-safe.
 */
final class Backoff {
  private final XdsSettings.Retries retries;
  private final RandomGenerator random;
  private Duration next;

  Backoff(XdsSettings.Retries retries, RandomGenerator random) {
    this.retries = retries;
    this.random = random;
    this.next = retries.initial();
  }

  Duration next() {
    Duration now = next;
    Duration twice = now.multipliedBy(2);
    next = twice.compareTo(retries.max()) > 0 ? retries.max() : twice;
    return jittered(now);
  }

  /** A delay that does not grow, for a server that has no configuration yet. */
  Duration urgent() {
    return jittered(retries.connect());
  }

  /** Begins anew after a success. */
  void reset() {
    next = retries.initial();
  }

  private Duration jittered(Duration wait) {
    double factor = 1 + retries.jitter() * (2 * random.nextDouble() - 1);
    long millis = Math.round(wait.toMillis() * factor);
    return Duration.ofMillis(Math.max(1, Math.min(millis, retries.max().toMillis())));
  }
}
