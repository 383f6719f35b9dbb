package dev.weir.lease;

import dev.weir.Claim;
import dev.weir.Store;
import dev.weir.guard.Paced;
import dev.weir.guard.Timers;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.LongAdder;

/** Permits that were paid for and not spent, on their way back to all. */
final class Returns {
  /** Permits of so many leases are on their way at a time. */
  private static final int MOST = 64;

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
   * @param windowEndNanos of the window that they are of
   */
  CompletionStage<Void> give(Claim claim, long permits, long windowEndNanos) {
    return permits <= 0
        ? CompletableFuture.completedStage(null)
        : paced.add(() -> giveNow(claim, permits, windowEndNanos));
  }

  private CompletionStage<?> giveNow(Claim claim, long permits, long windowEndNanos) {
    if (!Lease.isReturnable(windowEndNanos, timers.nanos())) {
      strand(permits);
      return CompletableFuture.completedStage(null);
    }
    return store
        .refund(List.of(Claim.of(claim.limit(), claim.key(), permits)))
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
