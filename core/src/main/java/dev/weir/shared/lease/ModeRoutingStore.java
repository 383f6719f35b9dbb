package dev.weir.shared.lease;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.LimitKey;
import dev.weir.Mode;
import dev.weir.Mode.Kind;
import dev.weir.Operation;
import dev.weir.Store;
import dev.weir.async.CallerFuture;
import dev.weir.async.Scheduler;
import dev.weir.memory.MemoryStore;
import dev.weir.shared.fleet.Fleet;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Serves each claim in its {@link Mode}, and calls the store only where this process cannot decide.
 *
 * <p><b>How.</b> A {@code take} tries, for each claim, the local counters if the mode is local, and
 * a lease if the mode leases. For what remains, it denies at once what the store denied a moment
 * ago, and otherwise calls the store. The store's decisions feed the {@link DenialCache} and {@link
 * Leases}, which begin a lease for a key in demand. Other operations do not use leases and cached
 * denials: a reset drops the leases of its keys, and all that can make room invalidate the cached
 * denials.
 *
 * <p><b>Guarantees.</b> The claims of a request are granted together or not at all: what was taken
 * here is given back if the store denies or fails. Other operations call the store before the local
 * counters, so that a caller may retry one that failed.
 *
 * <p>Safe for use by any number of threads.
 */
public final class ModeRoutingStore implements Store {
  private final Store store;
  private final MemoryStore local;
  private final Scheduler scheduler;
  private final Leases leases;
  private final DenialCache denials;
  private final LongAdder granted = new LongAdder();
  private final LongAdder remembered = new LongAdder();

  /**
   * Routes between a shared store and local counters.
   *
   * @param store the store that all servers share
   * @param local the counters of claims in local mode; the same as those of the {@link
   *     dev.weir.shared.fallback.LocalFallback}
   */
  public ModeRoutingStore(Store store, MemoryStore local, Fleet fleet, Scheduler scheduler) {
    this.store = store;
    this.local = local;
    this.scheduler = scheduler;
    this.leases = new Leases(store, fleet, scheduler);
    this.denials = new DenialCache(scheduler.nanos());
  }

  @Override
  public Answer apply(Operation operation, List<Claim> claims) {
    return switch (operation) {
      case TAKE -> take(claims);
      case PEEK -> peek(claims);
      case REFUND -> refund(claims);
      case CHARGE -> charge(claims);
      case RESET -> reset(claims);
    };
  }

  @Override
  public Answer take(List<Claim> claims) {
    return claims.size() == 1
        ? takeOne(claims)
        : new CombinedTake(this, leases, local, claims, scheduler.nanos()).take();
  }

  private Answer takeOne(List<Claim> claims) {
    Claim claim = claims.get(0);
    if (claim.mode().kind() == Kind.LOCAL) {
      return local.take(claim);
    }
    long nowNanos = scheduler.nanos();
    Decision decision = spendLease(claim, nowNanos);
    if (decision == null) {
      return takeFromStore(claims, nowNanos, () -> refund(claims));
    }
    granted.increment();
    return decision;
  }

  @Nullable Decision spendLease(Claim claim, long nowNanos) {
    if (!claim.mode().leases()) {
      return null;
    }
    return leases.spend(claim, nowNanos);
  }

  /** Counts claims that were granted from leases. */
  void onLeasesSpent(int claims) {
    granted.add(claims);
  }

  /**
   * Takes from the store, unless a cached denial applies.
   *
   * @param refund refunds a grant whose caller no longer waits for it
   */
  Answer takeFromStore(List<Claim> claims, long nowNanos, Runnable refund) {
    Decision cached = denials.find(claims, nowNanos);
    if (cached != null) {
      remembered.increment();
      return cached;
    }
    Answer answer = store.apply(Operation.TAKE, claims);
    if (answer instanceof Decision decision) {
      onDecision(claims, decision, nowNanos);
      return decision;
    }
    return CallerFuture.relay(
        answer,
        (decision, failure) -> {
          if (decision == null) {
            throw new CompletionException(failure);
          }
          onDecision(claims, decision, nowNanos);
          return decision;
        },
        refund);
  }

  private void onDecision(List<Claim> claims, Decision decision, long sentNanos) {
    long nowNanos = scheduler.nanos();
    denials.onDecision(claims, decision, sentNanos, nowNanos);
    for (int i = 0; i < claims.size(); i++) {
      if (claims.get(i).mode().leases()) {
        leases.onDecision(claims.get(i), decision.each().get(i), nowNanos);
      }
    }
  }

  @Override
  public Answer peek(List<Claim> claims) {
    return route(Operation.PEEK, claims);
  }

  @Override
  public Answer refund(List<Claim> claims) {
    return routeAndInvalidate(Operation.REFUND, claims);
  }

  @Override
  public Answer charge(List<Claim> claims) {
    return routeAndInvalidate(Operation.CHARGE, claims);
  }

  @Override
  public Answer reset(List<Claim> claims) {
    leases.invalidate(claims);
    return routeAndInvalidate(Operation.RESET, claims);
  }

  /**
   * Invalidates cached denials before the operation and after it: a request that was sent before it
   * may be denied while it is executed.
   */
  private Answer routeAndInvalidate(Operation operation, List<Claim> claims) {
    denials.invalidate(claims, scheduler.nanos());
    Answer answer = route(operation, claims);
    return answer instanceof Decision
        ? answer
        : CallerFuture.relay(
            answer,
            (decision, failure) -> {
              denials.invalidate(claims, scheduler.nanos());
              if (decision == null) {
                throw new CompletionException(failure);
              }
              return decision;
            },
            () -> {});
  }

  /**
   * Applies an operation to the claims of the store, and then to the local ones: if the store
   * fails, nothing is done, and a retry does nothing twice.
   */
  private Answer route(Operation operation, List<Claim> claims) {
    List<Claim> localClaims = claims.stream().filter(claim -> claim.mode().isLocal()).toList();
    if (localClaims.isEmpty()) {
      return store.apply(operation, claims);
    }
    if (localClaims.size() == claims.size()) {
      return local.apply(operation, claims);
    }
    List<Claim> storeClaims = claims.stream().filter(claim -> !claim.mode().isLocal()).toList();
    Answer answer = store.apply(operation, storeClaims);
    return answer instanceof Decision decision
        ? merge(claims, local.apply(operation, localClaims).join(), decision)
        : CallerFuture.relay(
            answer,
            decision -> merge(claims, local.apply(operation, localClaims).join(), decision));
  }

  private static Decision merge(List<Claim> claims, Decision ofLocal, Decision ofStore) {
    List<Decision> each = new ArrayList<>(claims.size());
    int nextLocal = 0;
    int nextStore = 0;
    for (Claim claim : claims) {
      each.add(
          claim.mode().isLocal()
              ? ofLocal.each().get(nextLocal++)
              : ofStore.each().get(nextStore++));
    }
    return Decision.of(List.copyOf(each));
  }

  /** Whether this server holds a lease on a key. */
  public boolean isLeased(LimitKey key) {
    return leases.isLeased(key);
  }

  /** The current counts of leases and cached denials. */
  public Counts counts() {
    return new Counts(
        leases.size(),
        granted.sum(),
        leases.taken(),
        leases.returned(),
        leases.stranded(),
        remembered.sum());
  }

  /**
   * What was decided in this process instead of in the store.
   *
   * @param leases keys with a lease
   * @param granted claims granted from leases
   * @param taken permits taken from the store in advance
   * @param returned permits of leases returned to the store
   * @param stranded permits of leases lost: charged, and never spent
   * @param remembered requests denied because the store had denied the same a moment before
   */
  public record Counts(
      int leases, long granted, long taken, long returned, long stranded, long remembered) {}

  /** Returns all leased permits. Send no requests after this call. */
  public CompletionStage<Void> close() {
    return leases.close();
  }
}
