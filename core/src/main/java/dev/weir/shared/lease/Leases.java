package dev.weir.shared.lease;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.LimitKey;
import dev.weir.Mode.Kind;
import dev.weir.Store;
import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import dev.weir.async.Scheduler;
import dev.weir.shared.fleet.Fleet;
import dev.weir.shared.lease.Lease.Unspent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The leases of a server: which keys have one, how much is requested, and what is returned.
 *
 * <p><b>Guarantees.</b> Every permit is charged in the store before it is spent, and spent or
 * returned at most once. A server holds no more of a key than its part of the share that the mode
 * allows: with N servers that hold at most B each, all together admit at most N·B above the limit
 * in any window, and a server that dies takes at most B with it.
 *
 * <p>While less than that share is left in the store, nothing is leased and every request calls the
 * store: the last permits go to the requests that come first. A limit too small to be divided is
 * never leased.
 *
 * <p>Safe for use by any number of threads.
 */
final class Leases {
  private static final int MAX_LEASES = 10_000;
  private static final long SWEEP_NANOS = Duration.ofMillis(100).toNanos();
  private static final long UNANSWERED_NANOS = Duration.ofMillis(500).toNanos();

  /** In automatic mode, a key with so many requests a second is leased. */
  private static final int HOT = 100;

  /** In automatic mode, the lease of a key with fewer requests a second than this ends. */
  private static final int COOL = 25;

  /** In leased mode, a key with so many requests a second is leased. */
  private static final int WARM = 2;

  private static final CompletionStage<Void> DONE = CompletableFuture.completedStage(null);

  private final Store store;
  private final Fleet fleet;
  private final Scheduler scheduler;
  private final LeaseReturner returner;
  private final Map<LimitKey, Lease> leases = new ConcurrentHashMap<>();
  private final HotKeySketch requestRates = new HotKeySketch();
  private final AtomicBoolean sweepScheduled = new AtomicBoolean();
  private final LongAdder taken = new LongAdder();
  private volatile boolean closed;

  Leases(Store store, Fleet fleet, Scheduler scheduler) {
    this.store = store;
    this.fleet = fleet;
    this.scheduler = scheduler;
    this.returner = new LeaseReturner(store, scheduler);
  }

  /** Spends leased permits; returns null if there are not enough. */
  @Nullable Decision spend(Claim claim, long nowNanos) {
    Lease lease = leases.get(claim.key());
    if (lease == null || !lease.isFor(claim)) {
      return null;
    }
    Decision decision = lease.spend(claim.cost(), nowNanos);
    if (lease.isLow(nowNanos)) {
      refill(lease, nowNanos);
    }
    return decision;
  }

  /** Takes back what {@link #spend} spent for a request that was not granted after all. */
  void unspend(Claim claim, long spentNanos) {
    Lease lease = leases.get(claim.key());
    if (lease == null) {
      returner.strand(claim.cost());
    } else {
      var unused = giveBack(lease, lease.unspend(claim.cost(), spentNanos, scheduler.nanos()));
    }
  }

  /** Receives a decision of the store on a claim that could not be served from a lease. */
  void onDecision(Claim claim, Decision decision, long nowNanos) {
    Lease lease = leases.get(claim.key());
    long maxHeld = maxHeld(claim);
    if (lease == null) {
      long hot = claim.mode().kind() == Kind.AUTOMATIC ? HOT : WARM;
      boolean few = decision.remaining() < LeasePolicy.minRemaining(claim.mode(), claim.limit());
      boolean worthIt = maxHeld >= LeasePolicy.minHeld(claim.cost());
      if (requestRates.add(claim.key(), nowNanos) >= hot && worthIt && !few) {
        begin(claim, nowNanos);
      }
      return;
    }
    if (!lease.isFor(claim)) {
      var unused = drop(lease, claim); // the rules have changed
      return;
    }
    if (decision.remaining() >= LeasePolicy.minRemaining(claim.mode(), claim.limit())) {
      lease.resume();
    }
    if (lease.isLow(nowNanos)) {
      refill(lease, nowNanos);
    }
  }

  private void begin(Claim claim, long nowNanos) {
    if (closed || leases.size() >= MAX_LEASES) {
      return;
    }
    Lease lease = new Lease(claim, fleet.dataLosses(), nowNanos);
    if (leases.putIfAbsent(claim.key(), lease) == null) {
      refill(lease, nowNanos);
      scheduleSweep();
    }
  }

  /** The permits this server may hold; none before all other servers know this one. */
  private long maxHeld(Claim claim) {
    return fleet.isKnown() ? LeasePolicy.share(claim.mode(), claim.limit()) / fleet.size() : 0;
  }

  /** Requests more permits, unless a refill is in progress. */
  private void refill(Lease lease, long nowNanos) {
    if (closed || !lease.refillInProgress.compareAndSet(false, true)) {
      return;
    }
    // Set before the request is sent: close() waits for all refills on their way.
    CompletableFuture<Void> done = new CompletableFuture<>();
    lease.refilling = done;
    var unused = giveBack(lease, lease.drainExpired(nowNanos));
    long maxHeld = maxHeld(lease.claim);
    long wanted = maxHeld < LeasePolicy.minHeld(1) ? 0 : lease.beginRefill(maxHeld, nowNanos);
    if (wanted == 0) {
      lease.refillInProgress.set(false);
      done.complete(null);
      return;
    }
    Claim request = new Claim(lease.claim.limit(), lease.claim.key(), wanted, 0);
    unused =
        take(request)
            .handle(
                (decision, failure) -> {
                  try {
                    return onRefill(lease, wanted, maxHeld, decision, failure, nowNanos);
                  } finally {
                    lease.onRefillAnswered();
                    lease.refillInProgress.set(false);
                  }
                })
            .thenCompose(returned -> returned)
            .whenComplete((returned, failure) -> done.complete(null));
  }

  private CompletionStage<Decision> take(Claim claim) {
    try {
      return store.take(List.of(claim)).stage();
    } catch (RuntimeException e) {
      return CompletableFuture.failedStage(e);
    }
  }

  private CompletionStage<Void> onRefill(
      Lease lease,
      long wanted,
      long maxHeld,
      @Nullable Decision decision,
      @Nullable Throwable failure,
      long sentNanos) {
    long nowNanos = scheduler.nanos();
    if (decision == null) {
      // Permits that may have been charged are neither requested again nor spent.
      boolean noEffect = failure != null && StoreFailure.effect(failure) == Effect.NONE;
      returner.strand(noEffect ? 0 : wanted);
      lease.pause(nowNanos, UNANSWERED_NANOS);
      return DONE;
    }
    if (!decision.allowed()) {
      lease.pause();
      return DONE;
    }
    taken.add(wanted);
    long share = LeasePolicy.share(lease.claim.mode(), lease.claim.limit());
    return giveBack(lease, lease.refill(wanted, maxHeld, share, decision, sentNanos, nowNanos));
  }

  /** Returns permits to the store, unless their key was reset: then they no longer exist there. */
  private CompletionStage<Void> giveBack(Lease lease, Unspent unspent) {
    if (unspent.permits() > 0 && lease.isInvalidated()) {
      returner.strand(unspent.permits());
      return DONE;
    }
    return returner.giveBack(lease.claim, unspent);
  }

  private void scheduleSweep() {
    if (!closed && sweepScheduled.compareAndSet(false, true)) {
      scheduler.schedule(SWEEP_NANOS, this::sweep);
    }
  }

  /** Returns expired permits, and drops leases that are no longer in demand. */
  private void sweep() {
    try {
      long nowNanos = scheduler.nanos();
      int dataLosses = fleet.dataLosses();
      for (Lease lease : List.copyOf(leases.values())) {
        if (lease.dataLosses != dataLosses) {
          invalidate(lease); // the store has lost all counters since
          continue;
        }
        if (lease.refillInProgress.get()) {
          continue;
        }
        var unused = giveBack(lease, lease.drainExpired(nowNanos));
        int minRequests = lease.claim.mode().kind() == Kind.AUTOMATIC ? COOL : 1;
        if (lease.isCool(minRequests * Math.max(1, lease.claim.cost()), nowNanos)) {
          unused = drop(lease, lease.claim);
        }
      }
    } finally {
      sweepScheduled.set(false);
    }
    if (!leases.isEmpty()) {
      scheduleSweep();
    }
  }

  /**
   * Ends a lease and returns its permits.
   *
   * @param current the claim for the limit as it is now
   */
  private CompletionStage<Void> drop(Lease lease, Claim current) {
    Unspent unspent = lease.giveUp();
    leases.remove(lease.claim.key(), lease);
    return returner.giveBack(current, unspent);
  }

  /** Drops the leases of keys that are reset: their permits are as if never taken. */
  void invalidate(List<Claim> claims) {
    for (Claim claim : claims) {
      Lease lease = leases.get(claim.key());
      if (lease != null) {
        invalidate(lease);
      }
    }
  }

  private void invalidate(Lease lease) {
    returner.strand(lease.invalidate().permits());
    leases.remove(lease.claim.key(), lease);
  }

  /** Returns all permits, including those of refills on their way, and leases nothing any more. */
  CompletionStage<Void> close() {
    closed = true;
    List<CompletableFuture<?>> returned = new ArrayList<>();
    for (Lease lease : List.copyOf(leases.values())) {
      returned.add(drop(lease, lease.claim).toCompletableFuture());
      returned.add(lease.refilling.toCompletableFuture());
    }
    return CompletableFuture.allOf(returned.toArray(CompletableFuture[]::new));
  }

  boolean isLeased(LimitKey key) {
    return leases.containsKey(key);
  }

  int size() {
    return leases.size();
  }

  long taken() {
    return taken.sum();
  }

  long returned() {
    return returner.returned();
  }

  long stranded() {
    return returner.stranded();
  }
}
