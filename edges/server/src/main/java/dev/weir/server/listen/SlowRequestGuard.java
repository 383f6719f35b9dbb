package dev.weir.server.listen;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Cuts off requests that arrive too slowly: the time from the first byte to the last is bounded,
 * however steadily the bytes trickle in. Thread-safe.
 *
 * <p><b>How.</b> Each connection records when a request begins to arrive and when it is complete,
 * and a periodic task checks all connections. So an ordinary request costs two memory writes and no
 * timer, and a late one is cut off at most a quarter of its time later.
 */
public final class SlowRequestGuard {
  /** The maximum time once the server is stopping. */
  private static final Duration SHUTDOWN_TIME = Duration.ofSeconds(1);

  private final Set<RequestSource> watched = ConcurrentHashMap.newKeySet();
  private volatile Duration maxTime;

  /** A source of requests of which one may be incomplete. */
  interface RequestSource {
    /** When the incomplete request began, by {@link System#nanoTime}; 0 if there is none. */
    long sinceNanos();

    /** Ends the request that began then, if it is still incomplete. Called on any thread. */
    void cutOff(long sinceNanos);
  }

  /** Allows each request the time {@code maxTime}. */
  public SlowRequestGuard(Duration maxTime) {
    this.maxTime = maxTime;
  }

  /** The current time for {@link RequestSource#sinceNanos}, never 0. */
  static long nowNanos() {
    return System.nanoTime() | 1;
  }

  void watch(RequestSource source) {
    watched.add(source);
  }

  void unwatch(RequestSource source) {
    watched.remove(source);
  }

  int size() {
    return watched.size();
  }

  /** How often to {@link #sweep}. */
  public Duration period() {
    return maxTime.compareTo(SHUTDOWN_TIME) < 0 ? maxTime.dividedBy(4) : SHUTDOWN_TIME.dividedBy(4);
  }

  /** Shortens the time of all requests, because the server is stopping. */
  public void shortenForShutdown() {
    maxTime = maxTime.compareTo(SHUTDOWN_TIME) < 0 ? maxTime : SHUTDOWN_TIME;
  }

  /** Cuts off all requests that are too slow. */
  public void sweep() {
    long now = System.nanoTime();
    long maxNanos = maxTime.toNanos();
    for (RequestSource source : watched) {
      long since = source.sinceNanos();
      if (since != 0 && now - since > maxNanos) {
        source.cutOff(since);
      }
    }
  }
}
