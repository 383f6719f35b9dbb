package dev.weir.simulation;

import dev.weir.Algorithm;
import dev.weir.Limit;
import org.jspecify.annotations.Nullable;

/**
 * What a server surely holds of a counter in advance, as far as that is seen from outside: what it
 * was told it has, less what it spent or gave back, and nothing of a window that has ended.
 *
 * <p>Never more than it truly holds: what is in doubt is taken for spent.
 */
final class Held {
  /** So long before a window ends, what is left may be let go with it. */
  private static final long EDGE_MICROS = 150_000;

  private final Limit limit;
  private final boolean windowed;
  private final long termNanos;
  private long permits;
  private long window = Long.MIN_VALUE;
  private long beganNanos;
  private long toldNanos = Long.MIN_VALUE / 2;
  private long returnedNanos = Long.MIN_VALUE / 2;

  Held(Limit limit) {
    this.limit = limit;
    this.windowed = limit.algorithm() == Algorithm.FIXED_WINDOW;
    long half = World.micros(limit.windowMicros() / 2);
    this.termNanos = Math.max(World.millis(10), Math.min(World.millis(1_000), half));
  }

  /**
   * It was told that it has more.
   *
   * @param refill how it was asked for; nobody knows of what was not
   */
  void told(@Nullable Message refill, long cost, long nanos) {
    if (refill == null) {
      return;
    }
    long start = limit.windowStartMicros(refill.micros);
    if (nanos - toldNanos >= termNanos || (windowed && start != window)) {
      beganNanos = nanos;
    }
    if (windowed && start != window) {
      window = start;
      permits = 0;
    }
    permits += cost;
    toldNanos = nanos;
  }

  void less(long cost) {
    permits = Math.max(0, permits - cost);
  }

  /** Permits are given back: it may hold none any more, not even a lease to take some back. */
  void returned(long cost, long nanos) {
    less(cost);
    returnedNanos = nanos;
  }

  /**
   * A request did not pass that may have been paid for in advance. It goes back to the lease of
   * which it was, unless that has ended.
   */
  void undone(long cost, long askedNanos, long nanos, long storeMicros) {
    boolean sameTerm =
        beganNanos <= askedNanos && nanos < toldNanos + termNanos && returnedNanos < askedNanos;
    if (!sameTerm || isAtEdge(storeMicros)) {
      less(cost);
    }
  }

  void forget() {
    permits = 0;
  }

  /**
   * What it holds, where so much may have been spent of it and not been told yet. What it has
   * beyond its term is void, whether or not it has been given back.
   */
  long least(long undecided, long nanos, long storeMicros) {
    boolean over = nanos - toldNanos >= termNanos;
    return over || isAtEdge(storeMicros) ? 0 : Math.max(0, permits - undecided);
  }

  private boolean isAtEdge(long storeMicros) {
    return windowed
        && (limit.windowStartMicros(storeMicros) != window
            || limit.windowEndMicros(window) - storeMicros < EDGE_MICROS);
  }
}
