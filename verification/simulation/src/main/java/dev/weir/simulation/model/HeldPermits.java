package dev.weir.simulation.model;

import dev.weir.Algorithm;
import dev.weir.Limit;
import dev.weir.simulation.world.World;

/**
 * A lower bound of the leased permits that a server holds of a counter, seen from outside: the
 * refills that were confirmed to it, less what it spent or gave back. A window that has ended
 * leaves nothing.
 *
 * <p>The bound is never more than the server truly holds: what is in doubt counts as spent.
 */
public final class HeldPermits {
  /** This long before a window ends, a server may drop what is left of the lease. */
  private static final long WINDOW_END_MICROS = 150_000;

  private final Limit limit;
  private final boolean windowed;
  private final long termNanos;
  private long permits;
  private long window = Long.MIN_VALUE;
  private long termStartNanos;
  private long refilledNanos = Long.MIN_VALUE / 2;
  private long returnedNanos = Long.MIN_VALUE / 2;

  /** Starts with no permits. */
  public HeldPermits(Limit limit) {
    this.limit = limit;
    this.windowed = limit.algorithm() == Algorithm.FIXED_WINDOW;
    long half = World.micros(limit.windowMicros() / 2);
    this.termNanos = Math.max(World.millis(10), Math.min(World.millis(1_000), half));
  }

  /**
   * Records a confirmed refill.
   *
   * @param refillMicros when the store counted it
   */
  public void refilled(long refillMicros, long cost, long nanos) {
    long start = limit.windowStartMicros(refillMicros);
    if (nanos - refilledNanos >= termNanos || (windowed && start != window)) {
      termStartNanos = nanos;
    }
    if (windowed && start != window) {
      window = start;
      permits = 0;
    }
    permits += cost;
    refilledNanos = nanos;
  }

  /** Records permits that the server spent. */
  public void spend(long cost) {
    permits = Math.max(0, permits - cost);
  }

  /**
   * Records returned permits. The server may hold no lease any more that could take permits back.
   */
  public void giveBack(long cost, long nanos) {
    spend(cost);
    returnedNanos = nanos;
  }

  /**
   * Records a request that did not pass, though leased permits may have been spent for it. They go
   * back to their lease, unless that has ended.
   */
  public void unspend(long cost, long requestNanos, long nanos, long storeMicros) {
    boolean sameTerm =
        termStartNanos <= requestNanos
            && nanos < refilledNanos + termNanos
            && returnedNanos < requestNanos;
    if (!sameTerm || isNearWindowEnd(storeMicros)) {
      spend(cost);
    }
  }

  /** Records that the permits are void. */
  public void clear() {
    permits = 0;
  }

  /**
   * The permits that the server holds at least. After the term of the lease they are void, whether
   * or not they were returned.
   *
   * @param undecided permits that may have been spent for requests without a decision so far
   */
  public long min(long undecided, long nanos, long storeMicros) {
    boolean over = nanos - refilledNanos >= termNanos;
    return over || isNearWindowEnd(storeMicros) ? 0 : Math.max(0, permits - undecided);
  }

  private boolean isNearWindowEnd(long storeMicros) {
    return windowed
        && (limit.windowStartMicros(storeMicros) != window
            || limit.windowEndMicros(window) - storeMicros < WINDOW_END_MICROS);
  }
}
