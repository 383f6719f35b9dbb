package dev.weir.lease;

import dev.weir.Claim;
import dev.weir.Store;
import dev.weir.guard.Paced;
import dev.weir.guard.Timers;
import dev.weir.lease.Lease.Left;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.LongAdder;

/** Permits that were paid for and not spent, on their way back to all. */
final class Returns {
  /** Permits of so many leases are on their way at a time. */
  private static final int MOST = 64;

  /** And so many wait for their turn. */
  private static final int MAX_WAITING = 10_000;

  /** What comes later than this is of another time: by then it has flowed back, or been counted. */
  private static final long TOO_OLD_NANOS = Duration.ofSeconds(1).toNanos();

  private final Store store;
  private final Timers timers;
  private final Paced paced = new Paced(MOST);
  private final LongAdder returned = new LongAdder();
  private final LongAdder stranded = new LongAdder();

  Returns(Store store, Timers timers) {
    this.store = store;
    this.timers = timers;
  }

  /**
   * Gives permits back, once; whether or not that arrives, they are not spent here.
   *
   * @param claim for the limit as it is now
   */
  CompletionStage<Void> give(Claim claim, Left left) {
    if (left.permits() > 0 && paced.waiting() < MAX_WAITING) {
      long sinceNanos = timers.nanos();
      return paced.add(() -> giveNow(claim, left, sinceNanos));
    }
    strand(left.permits());
    return CompletableFuture.completedStage(null);
  }

  private CompletionStage<?> giveNow(Claim claim, Left left, long sinceNanos) {
    long nowNanos = timers.nanos();
    long permits = left.permits();
    boolean tooOld = nowNanos - sinceNanos > TOO_OLD_NANOS;
    if (tooOld || !Lease.isReturnable(left.windowEndNanos(), nowNanos)) {
      strand(permits);
      return CompletableFuture.completedStage(null);
    }
    return store
        .refund(List.of(new Claim(claim.limit(), claim.key(), permits, 0)))
        .stage()
        .whenComplete((decision, failure) -> (failure == null ? returned : stranded).add(permits));
  }

  /** Gives them up: nobody spends them, and nobody gets them back. */
  void strand(long permits) {
    stranded.add(permits);
  }

  long returned() {
    return returned.sum();
  }

  long stranded() {
    return stranded.sum();
  }
}
