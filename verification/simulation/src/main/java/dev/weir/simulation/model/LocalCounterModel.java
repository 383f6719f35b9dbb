package dev.weir.simulation.model;

import dev.weir.Algorithm;
import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.simulation.world.WallClock;
import org.jspecify.annotations.Nullable;

/**
 * Counts again, from outside, what one server counts locally of one counter: by the server's clock,
 * against its part of the limit, with the plain arithmetic of the algorithm.
 *
 * <p>The model is exact, so it checks both directions: every request that passes fits, and every
 * request that fits passes. When the part of the limit changes, the next count converts the usage.
 */
public final class LocalCounterModel {
  private final ConcurrencyModel holders = new ConcurrencyModel();
  private @Nullable Limit localLimit;
  private @Nullable CounterModel counter;
  private long inexactUntilMicros = Long.MIN_VALUE;
  private int setBacksSeen;
  private boolean mayBeEvicted;

  /** Records a grant by the store, as far as there is room. */
  public void recordStoreGrant(WallClock wall, Claim claim) {
    long micros = wall.micros();
    if (!isConcurrency(claim)) {
      CounterModel current = counterUnder(claim.limit(), micros);
      long fits = Math.min(claim.cost(), current.remaining(micros));
      if (fits > 0) {
        markChanged(wall, claim.limit());
        keep(current, claim.limit());
        current.add(micros, fits);
      }
    }
  }

  /** Records a local grant. */
  public void recordGrant(WallClock wall, Claim claim) {
    long micros = wall.micros();
    markChanged(wall, claim.limit());
    if (isConcurrency(claim)) {
      holders.acquire(micros, claim.holder(), claim.limit());
      return;
    }
    CounterModel current = counterUnder(claim.limit(), micros);
    keep(current, claim.limit());
    current.add(micros, claim.cost());
  }

  /** Records that a grant was given back. */
  public void recordRefund(WallClock wall, Claim claim) {
    long micros = wall.micros();
    markChanged(wall, claim.limit());
    if (isConcurrency(claim)) {
      holders.release(micros, claim.holder(), claim.limit());
      return;
    }
    CounterModel current = counterUnder(claim.limit(), micros);
    keep(current, claim.limit());
    current.refund(micros, claim.cost());
  }

  private void markChanged(WallClock wall, Limit limit) {
    updateMayBeEvicted(wall, limit);
    setBacksSeen = wall.timesSetBack();
  }

  /**
   * Whether the model is exact. If a clock is set back, it cannot be seen from outside what time it
   * showed when the counter last read it; nor, when nothing is in use, whether the counter was
   * evicted from memory, and its time with it.
   */
  public boolean isExact(WallClock wall, Limit limit) {
    updateMayBeEvicted(wall, limit);
    long latest = wall.latestMicros();
    if (wall.micros() < latest) {
      long min = used(latest, limit);
      if (min == 0 || min < used(wall.micros(), limit)) {
        inexactUntilMicros = latest;
      }
    }
    return !mayBeEvicted && wall.micros() >= inexactUntilMicros;
  }

  /**
   * A counter that was too far ahead of the clock since its last change may have been evicted. That
   * makes no difference while it is still too far ahead, and once it is empty.
   */
  private void updateMayBeEvicted(WallClock wall, Limit limit) {
    long now = wall.micros();
    if (isAhead(now, limit)) {
      mayBeEvicted = false;
    } else if (isAhead(wall.earliestSince(setBacksSeen), limit)) {
      mayBeEvicted = true;
    } else if (now >= wall.latestMicros() && used(now, limit) == 0) {
      mayBeEvicted = false;
    }
  }

  private boolean isAhead(long micros, Limit limit) {
    CounterModel kept = counter;
    return limit.algorithm() == Algorithm.CONCURRENCY
        ? holders.isAhead(micros, limit)
        : kept != null && kept.isAhead(micros);
  }

  /** The permits in use; for a concurrency limit, the holders. */
  public long used(long micros, Limit limit) {
    return limit.algorithm() == Algorithm.CONCURRENCY
        ? holders.inUse(micros, limit)
        : counterUnder(limit, micros).used(micros);
  }

  /** Whether a claim would fit at a later time, given the usage now. */
  public boolean fits(long thenMicros, long micros, Claim claim) {
    Limit limit = claim.limit();
    long used =
        isConcurrency(claim)
            ? holders.inUse(thenMicros, limit)
            : counterUnder(limit, micros).used(thenMicros);
    return used + claim.cost() <= limit.capacity();
  }

  private static boolean isConcurrency(Claim claim) {
    return claim.limit().algorithm() == Algorithm.CONCURRENCY;
  }

  private CounterModel counterUnder(Limit limit, long micros) {
    CounterModel before = counter;
    if (before == null || localLimit == null) {
      return new CounterModel(limit);
    }
    return localLimit.countsLike(limit) ? before : before.convertedTo(limit, micros);
  }

  private void keep(CounterModel current, Limit limit) {
    localLimit = limit;
    counter = current;
  }
}
