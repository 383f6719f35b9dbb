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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
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
  private static final int MOST_LEASES = 10_000;
  private static final long SWEEP_NANOS = Duration.ofMillis(100).toNanos();
  private static final long UNANSWERED_NANOS = Duration.ofMillis(500).toNanos();

  /** Asked for so often in a second, a key is leased. */
  private static final int HOT = 100;

  /** Spent so little in a term, it is so no longer. */
  private static final int COOL = 25;

  /** The same where everything is to be leased that is asked for more than now and then. */
  private static final int WARM = 2;

  private final Store store;
  private final Fleet fleet;
  private final Timers timers;
  private final Map<LimitKey, Lease> leases = new ConcurrentHashMap<>();
  private final Heat heat = new Heat();
  private final AtomicBoolean sweeping = new AtomicBoolean();
  private final LongAdder taken = new LongAdder();
  private final LongAdder returned = new LongAdder();
  private final LongAdder stranded = new LongAdder();
  private volatile boolean closed;

  Leases(Store store, Fleet fleet, Timers timers) {
    this.store = store;
    this.fleet = fleet;
    this.timers = timers;
  }

  /** Spends what was paid for in advance, if there is enough of it. */
  @Nullable Decision spend(Claim claim, long nowNanos) {
    Lease lease = leases.get(claim.key());
    if (lease == null || !lease.isFor(claim.limit())) {
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
    if (lease == null || !lease.isOfTerm(spentNanos)) {
      stranded.add(claim.cost());
    } else {
      long nowNanos = timers.nanos();
      var unused = give(lease, lease.unspend(claim.cost(), nowNanos), nowNanos);
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
    if (!lease.isFor(claim.limit())) {
      var unused = drop(lease, nowNanos); // the rules have changed
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
    if (closed || leases.size() >= MOST_LEASES) {
      return;
    }
    Lease lease = new Lease(claim, nowNanos);
    if (leases.putIfAbsent(claim.key(), lease) == null) {
      refill(lease, nowNanos);
      sweepSoon();
    }
  }

  /** What all servers together may hold of a limit. */
  private static long share(Claim claim) {
    return Leasable.share(claim.mode(), claim.limit());
  }

  /** What this server may hold of a limit. */
  private long most(Claim claim) {
    return share(claim) / fleet.size();
  }

  /** Asks for more, unless somebody does already. */
  private void refill(Lease lease, long nowNanos) {
    if (closed || !lease.asking.compareAndSet(false, true)) {
      return;
    }
    giveVoid(lease, nowNanos);
    Claim claim = lease.claim;
    long most = most(claim);
    long wanted = most < Leasable.least(1) ? 0 : lease.await(most, nowNanos);
    if (wanted == 0) {
      lease.asking.set(false);
      return;
    }
    Claim asked = Claim.of(claim.limit(), claim.key(), wanted);
    var unused =
        store
            .take(List.of(asked))
            .stage()
            .whenComplete(
                (decision, failure) -> {
                  refilled(lease, wanted, most, decision, failure, nowNanos);
                  lease.answered();
                  lease.asking.set(false);
                });
  }

  private void refilled(
      Lease lease,
      long wanted,
      long most,
      @Nullable Decision decision,
      @Nullable Throwable failure,
      long askedNanos) {
    long nowNanos = timers.nanos();
    if (decision == null) {
      // What may have been paid for is not asked for again, and nobody spends it.
      stranded.add(isUndone(failure) ? 0 : wanted);
      lease.rest(nowNanos, UNANSWERED_NANOS);
    } else if (!decision.allowed()) {
      lease.rest();
    } else if (closed || leases.get(lease.claim.key()) != lease) {
      var unused = give(lease, wanted, nowNanos);
    } else {
      taken.add(wanted);
      giveVoid(lease, nowNanos);
      lease.refill(wanted, most, share(lease.claim), decision, askedNanos, nowNanos);
    }
  }

  /**
   * Gives back what is void, before there is more: nobody holds it twice, and the window that it is
   * of is still the one that is known.
   */
  private void giveVoid(Lease lease, long nowNanos) {
    var unused = give(lease, lease.takeVoid(nowNanos), nowNanos);
  }

  private static boolean isUndone(@Nullable Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    return cause instanceof StoreFailure known && known.effect() == Effect.NONE;
  }

  private void sweepSoon() {
    if (!closed && sweeping.compareAndSet(false, true)) {
      timers.after(SWEEP_NANOS, this::sweep);
    }
  }

  /** Ends what is over. */
  private void sweep() {
    long nowNanos = timers.nanos();
    for (Lease lease : List.copyOf(leases.values())) {
      if (lease.isOver(nowNanos) && !lease.asking.get()) {
        Lease.Term term = lease.end();
        var unused = give(lease, term.left(), nowNanos);
        int cool = lease.claim.mode().kind() == Kind.AUTOMATIC ? COOL : 1;
        if (term.spent() < cool) {
          leases.remove(lease.claim.key(), lease);
        }
      }
    }
    sweeping.set(false);
    if (!leases.isEmpty()) {
      sweepSoon();
    }
  }

  /** Gives permits back to all, once; whether or not that arrives, they are not spent here. */
  private CompletionStage<?> give(Lease lease, long permits, long nowNanos) {
    if (permits <= 0) {
      return CompletableFuture.completedStage(null);
    }
    if (!lease.isReturnable(nowNanos)) {
      stranded.add(permits);
      return CompletableFuture.completedStage(null);
    }
    Claim claim = Claim.of(lease.claim.limit(), lease.claim.key(), permits);
    return store
        .refund(List.of(claim))
        .stage()
        .handle(
            (decision, failure) -> {
              (failure == null ? returned : stranded).add(permits);
              return decision;
            });
  }

  private CompletionStage<?> drop(Lease lease, long nowNanos) {
    if (!leases.remove(lease.claim.key(), lease)) {
      return CompletableFuture.completedStage(null);
    }
    return give(lease, lease.end().left(), nowNanos);
  }

  /** Forgets what was leased of a counter that begins anew: it is as if never taken. */
  void forget(List<Claim> claims) {
    for (Claim claim : claims) {
      Lease lease = leases.remove(claim.key());
      if (lease != null) {
        stranded.add(lease.end().left());
      }
    }
  }

  /** Gives everything back, and leases nothing any more. */
  CompletionStage<Void> close() {
    closed = true;
    long nowNanos = timers.nanos();
    List<CompletableFuture<?>> given = new ArrayList<>();
    for (Lease lease : List.copyOf(leases.values())) {
      given.add(drop(lease, nowNanos).toCompletableFuture());
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
    return returned.sum();
  }

  long stranded() {
    return stranded.sum();
  }
}
