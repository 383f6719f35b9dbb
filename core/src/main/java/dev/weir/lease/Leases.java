package dev.weir.lease;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.LimitKey;
import dev.weir.Mode.Kind;
import dev.weir.Store;
import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import dev.weir.guard.Fleet;
import dev.weir.guard.Timers;
import dev.weir.lease.Lease.Left;
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
 * The leases of a server: who gets one, how much is asked for, and what is given back.
 *
 * <p><b>Guarantees.</b> Every permit is paid for in the store before it is spent, and spent or
 * given back at most once. A server holds no more of a counter than its part of the share that the
 * mode allows: with N servers that hold B at most, all of them together admit no more than N·B
 * above the limit in any window, and one that dies takes no more than B with it.
 *
 * <p>While less than that share is left to all, nothing is leased, and everybody asks the store:
 * the last permits go to whoever comes first. A limit too small to be shared out is never leased.
 */
final class Leases {
  private static final int MAX_LEASES = 10_000;
  private static final long SWEEP_NANOS = Duration.ofMillis(100).toNanos();
  private static final long UNANSWERED_NANOS = Duration.ofMillis(500).toNanos();

  /** Asked for so often in a second, a key is leased. */
  private static final int HOT = 100;

  /** Asked for less often than this in a second, it is so no longer. */
  private static final int COOL = 25;

  /** The same where everything is to be leased that is asked for more than now and then. */
  private static final int WARM = 2;

  private static final CompletionStage<Void> DONE = CompletableFuture.completedStage(null);

  private final Store store;
  private final Fleet fleet;
  private final Timers timers;
  private final Returns returns;
  private final Map<LimitKey, Lease> leases = new ConcurrentHashMap<>();
  private final Heat heat = new Heat();
  private final AtomicBoolean sweeping = new AtomicBoolean();
  private final LongAdder taken = new LongAdder();
  private volatile boolean closed;

  Leases(Store store, Fleet fleet, Timers timers) {
    this.store = store;
    this.fleet = fleet;
    this.timers = timers;
    this.returns = new Returns(store, timers);
  }

  /** Spends what was paid for in advance, if there is enough of it. */
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

  /** Takes back what {@link #spend} gave for a request that did not pass. */
  void unspend(Claim claim, long spentNanos) {
    Lease lease = leases.get(claim.key());
    if (lease == null) {
      returns.strand(claim.cost());
    } else {
      var unused = give(lease, lease.unspend(claim.cost(), spentNanos, timers.nanos()));
    }
  }

  /** Hears what the store said to somebody who had to ask. */
  void heard(Claim claim, Decision decision, long nowNanos) {
    Lease lease = leases.get(claim.key());
    long most = most(claim);
    if (lease == null) {
      long hot = claim.mode().kind() == Kind.AUTOMATIC ? HOT : WARM;
      boolean few = decision.remaining() < Leasable.enough(claim.mode(), claim.limit());
      boolean worthIt = most >= Leasable.least(claim.cost());
      if (heat.add(claim.key(), nowNanos) >= hot && worthIt && !few) {
        begin(claim, nowNanos);
      }
      return;
    }
    if (!lease.isFor(claim)) {
      var unused = drop(lease, claim); // the rules have changed
      return;
    }
    if (decision.remaining() >= Leasable.enough(claim.mode(), claim.limit())) {
      lease.wake();
    }
    if (lease.isLow(nowNanos)) {
      refill(lease, nowNanos);
    }
  }

  private void begin(Claim claim, long nowNanos) {
    if (closed || leases.size() >= MAX_LEASES) {
      return;
    }
    Lease lease = new Lease(claim, fleet.forgotten(), nowNanos);
    if (leases.putIfAbsent(claim.key(), lease) == null) {
      refill(lease, nowNanos);
      sweepSoon();
    }
  }

  /** What this server may hold of a limit: nothing before all others have heard of it. */
  private long most(Claim claim) {
    return fleet.isKnown() ? Leasable.share(claim.mode(), claim.limit()) / fleet.size() : 0;
  }

  /** Asks for more, unless somebody does already. */
  private void refill(Lease lease, long nowNanos) {
    if (closed || !lease.asking.compareAndSet(false, true)) {
      return;
    }
    // Before it is on its way: who closes this waits for all that is.
    CompletableFuture<Void> done = new CompletableFuture<>();
    lease.refilling = done;
    var unused = give(lease, lease.takeVoid(nowNanos));
    long most = most(lease.claim);
    long wanted = most < Leasable.least(1) ? 0 : lease.await(most, nowNanos);
    if (wanted == 0) {
      lease.asking.set(false);
      done.complete(null);
      return;
    }
    Claim asked = new Claim(lease.claim.limit(), lease.claim.key(), wanted, 0);
    unused =
        take(asked)
            .handle(
                (decision, failure) -> {
                  try {
                    return refilled(lease, wanted, most, decision, failure, nowNanos);
                  } finally {
                    lease.answered();
                    lease.asking.set(false);
                  }
                })
            .thenCompose(given -> given)
            .whenComplete((given, failure) -> done.complete(null));
  }

  private CompletionStage<Decision> take(Claim claim) {
    try {
      return store.take(List.of(claim)).stage();
    } catch (RuntimeException e) {
      return CompletableFuture.failedStage(e);
    }
  }

  private CompletionStage<Void> refilled(
      Lease lease,
      long wanted,
      long most,
      @Nullable Decision decision,
      @Nullable Throwable failure,
      long askedNanos) {
    long nowNanos = timers.nanos();
    if (decision == null) {
      // What may have been paid for is not asked for again, and nobody spends it.
      returns.strand(isUndone(failure) ? 0 : wanted);
      lease.rest(nowNanos, UNANSWERED_NANOS);
      return DONE;
    }
    if (!decision.allowed()) {
      lease.rest();
      return DONE;
    }
    taken.add(wanted);
    long share = Leasable.share(lease.claim.mode(), lease.claim.limit());
    return give(lease, lease.refill(wanted, most, share, decision, askedNanos, nowNanos));
  }

  /**
   * Gives back what was taken out of a lease; what is of a counter that is no more goes with it.
   */
  private CompletionStage<Void> give(Lease lease, Left left) {
    if (left.permits() > 0 && lease.isForgotten()) {
      returns.strand(left.permits());
      return DONE;
    }
    return returns.give(lease.claim, left);
  }

  private static boolean isUndone(@Nullable Throwable failure) {
    return failure != null && StoreFailure.effect(failure) == Effect.NONE;
  }

  private void sweepSoon() {
    if (!closed && sweeping.compareAndSet(false, true)) {
      timers.after(SWEEP_NANOS, this::sweep);
    }
  }

  /** Ends what is over, and drops what is not worth it any more. */
  private void sweep() {
    try {
      long nowNanos = timers.nanos();
      int forgotten = fleet.forgotten();
      for (Lease lease : List.copyOf(leases.values())) {
        if (lease.memory != forgotten) {
          forget(lease); // the store has lost all counters since
          continue;
        }
        if (lease.asking.get()) {
          continue;
        }
        var unused = give(lease, lease.takeVoid(nowNanos));
        int least = lease.claim.mode().kind() == Kind.AUTOMATIC ? COOL : 1;
        if (lease.isCool(least * Math.max(1, lease.claim.cost()), nowNanos)) {
          unused = drop(lease, lease.claim);
        }
      }
    } finally {
      sweeping.set(false);
    }
    if (!leases.isEmpty()) {
      sweepSoon();
    }
  }

  /**
   * @param now the claim for the limit as it is now
   */
  private CompletionStage<Void> drop(Lease lease, Claim now) {
    Left left = lease.giveUp();
    leases.remove(lease.claim.key(), lease);
    return returns.give(now, left);
  }

  /** Forgets what was leased of a counter that begins anew: it is as if never taken. */
  void forget(List<Claim> claims) {
    for (Claim claim : claims) {
      Lease lease = leases.get(claim.key());
      if (lease != null) {
        forget(lease);
      }
    }
  }

  private void forget(Lease lease) {
    returns.strand(lease.forget().permits());
    leases.remove(lease.claim.key(), lease);
  }

  /** Gives everything back, what is on its way here too, and leases nothing any more. */
  CompletionStage<Void> close() {
    closed = true;
    List<CompletableFuture<?>> given = new ArrayList<>();
    for (Lease lease : List.copyOf(leases.values())) {
      given.add(drop(lease, lease.claim).toCompletableFuture());
      given.add(lease.refilling.toCompletableFuture());
    }
    return CompletableFuture.allOf(given.toArray(CompletableFuture[]::new));
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
    return returns.returned();
  }

  long stranded() {
    return returns.stranded();
  }
}
