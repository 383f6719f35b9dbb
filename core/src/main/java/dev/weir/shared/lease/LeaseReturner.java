package dev.weir.shared.lease;

import dev.weir.Claim;
import dev.weir.Store;
import dev.weir.async.AsyncBulkhead;
import dev.weir.async.Scheduler;
import dev.weir.shared.lease.Lease.Unspent;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.LongAdder;

/**
 * Returns leased permits that were not spent to the store, some leases at a time. Safe for use by
 * any number of threads.
 */
final class LeaseReturner {
  private static final int MAX_IN_FLIGHT = 64;
  private static final int MAX_QUEUED = 10_000;

  /** Permits are not returned later than this: by then they have flowed back, or been counted. */
  private static final long MAX_AGE_NANOS = Duration.ofSeconds(1).toNanos();

  private final Store store;
  private final Scheduler scheduler;
  private final AsyncBulkhead bulkhead = new AsyncBulkhead(MAX_IN_FLIGHT);
  private final LongAdder returned = new LongAdder();
  private final LongAdder stranded = new LongAdder();

  LeaseReturner(Store store, Scheduler scheduler) {
    this.store = store;
    this.scheduler = scheduler;
  }

  /**
   * Returns permits, with one attempt; they are not spent here even if it fails.
   *
   * @param claim for the limit as it is now
   */
  CompletionStage<Void> giveBack(Claim claim, Unspent unspent) {
    if (unspent.permits() > 0 && bulkhead.queued() < MAX_QUEUED) {
      long sinceNanos = scheduler.nanos();
      return bulkhead.submit(() -> refund(claim, unspent, sinceNanos));
    }
    strand(unspent.permits());
    return CompletableFuture.completedStage(null);
  }

  private CompletionStage<?> refund(Claim claim, Unspent unspent, long sinceNanos) {
    long nowNanos = scheduler.nanos();
    long permits = unspent.permits();
    boolean tooOld = nowNanos - sinceNanos > MAX_AGE_NANOS;
    if (tooOld || !Lease.isReturnable(unspent.windowEndNanos(), nowNanos)) {
      strand(permits);
      return CompletableFuture.completedStage(null);
    }
    return store
        .refund(List.of(new Claim(claim.limit(), claim.key(), permits, 0)))
        .stage()
        .whenComplete((decision, failure) -> (failure == null ? returned : stranded).add(permits));
  }

  /** Abandons permits: they are neither spent nor returned. */
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
