package dev.weir.server.xds;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long to wait before the next attempt: twice as long each time, up to a bound, and each by a
 * random share shorter or longer, lest a fleet comes back all at once.
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
    return varied(now);
  }

  /** Without growing: for those who have nothing to live on until then. */
  Duration urgent() {
    return varied(retries.connect());
  }

  /** After a success. */
  void reset() {
    next = retries.initial();
  }

  private Duration varied(Duration wait) {
    double share = 1 + retries.jitter() * (2 * random.nextDouble() - 1);
    long millis = Math.round(wait.toMillis() * share);
    return Duration.ofMillis(Math.max(1, Math.min(millis, retries.max().toMillis())));
  }
}
