package dev.weir.server;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Cuts off requests that arrive too slowly: from its first byte to its last, a request has so much
 * time, however steadily the bytes trickle in.
 *
 * <p>How: each connection notes when a request begins to arrive and when it is whole, and now and
 * then one task looks at all of them. So an ordinary request costs two writes to memory and no
 * timer, and one that is late is cut off at most a quarter of its time later.
 */
final class Arrivals {
  /** What may be late once the server is told to stop. */
  private static final Duration HURRY = Duration.ofSeconds(1);

  private final Set<Arriving> watched = ConcurrentHashMap.newKeySet();
  private volatile Duration most;

  /** Something of which a part may be there and the rest not. */
  interface Arriving {
    /** When it began, by {@link System#nanoTime}; 0 if nothing is missing. */
    long sinceNanos();

    /** Ends what began then. Called on any thread. */
    void cut(long sinceNanos);
  }

  Arrivals(Duration most) {
    this.most = most;
  }

  /** The present as {@link Arriving#sinceNanos} tells it, never 0. */
  static long nanos() {
    return System.nanoTime() | 1;
  }

  void watch(Arriving one) {
    watched.add(one);
  }

  void forget(Arriving one) {
    watched.remove(one);
  }

  int size() {
    return watched.size();
  }

  /** How often to {@link #sweep}. */
  Duration period() {
    return most.compareTo(HURRY) < 0 ? most.dividedBy(4) : HURRY.dividedBy(4);
  }

  /** From now on nobody has long: the server is about to stop. */
  void hurry() {
    most = most.compareTo(HURRY) < 0 ? most : HURRY;
  }

  void sweep() {
    long now = System.nanoTime();
    long mostNanos = most.toNanos();
    for (Arriving one : watched) {
      long since = one.sinceNanos();
      if (since != 0 && now - since > mostNanos) {
        one.cut(since);
      }
    }
  }
}
