package dev.weir.guard;

import dev.weir.Algorithm;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.Store;
import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import dev.weir.Ticker;
import dev.weir.guard.Fleet.Place;
import dev.weir.memory.MemoryStore;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;

/**
 * Counts in this process while the store does not answer, for rules that want that.
 *
 * <p><b>How.</b> Each server keeps to its part of a limit, by the number of servers last heard of.
 * What the store grants through this server is counted here, too, as far as there is room, so that
 * an outage does not begin with a budget that has been spent. What is granted here is pending, and
 * charged to the store when it is back; except what the store may have counted itself, because only
 * its answer was lost: nothing is charged twice.
 */
public final class Standby {
  /** Parts of limits that are kept ready. */
  private static final int MAX_PARTS = 10_000;

  /** Debts on their way to the store at a time. */
  private static final int MAX_ON_THEIR_WAY = 64;

  /** So many that failed are enough to see that it makes no sense to go on. */
  private static final int MAX_FAILURES = 16;

  private final MemoryStore counters;
  private final Fleet fleet;
  private final Ticker ticker;
  private final Owed pending = new Owed();
  private final LongAdder settled = new LongAdder();
  private final LongAdder lost = new LongAdder();
  private final AtomicInteger paying = new AtomicInteger();
  private volatile Parts parts;

  private record Parts(Place place, Map<Whole, Limit> known) {}

  /** A limit of one rule: another one's may be equal. */
  private record Whole(Limit limit, long group) {}

  public Standby(MemoryStore counters, Fleet fleet, Ticker ticker) {
    this.counters = counters;
    this.fleet = fleet;
    this.ticker = ticker;
    this.parts = new Parts(fleet.place(), new ConcurrentHashMap<>());
  }

  /** For a server that shares its counters with nobody. */
  public static Standby alone(MemoryStore counters) {
    return new Standby(counters, Fleet.alone(), Ticker.system());
  }

  /** What to ask instead of the store, which failed like this. */
  public FallbackStore after(StoreFailure failure) {
    return store(failure.effect() == Effect.NONE, false);
  }

  /** The same for counters without a limit, which somebody else judges by. */
  public FallbackStore unlimitedAfter(StoreFailure failure) {
    return store(failure.effect() == Effect.NONE, true);
  }

  /** What this server keeps to of so many permits. */
  public long part(long permits) {
    Place place = fleet.place();
    long more = place.rank() < permits % place.size() ? 1 : 0;
    return permits == 0 ? 0 : Math.max(1, permits / place.size() + more);
  }

  Limit part(Limit limit) {
    Place place = fleet.place();
    Parts now = parts;
    if (!now.place.equals(place) || now.known.size() > MAX_PARTS) {
      now = new Parts(place, new ConcurrentHashMap<>());
      parts = now;
    }
    return now.known.computeIfAbsent(
        new Whole(limit, limit.group()), whole -> Share.of(whole.limit, place));
  }

  private FallbackStore store(boolean charges, boolean unlimited) {
    return new FallbackStore(this, counters, pending, ticker, charges, unlimited);
  }

  /** Notes what the store granted through this server. */
  public void counted(Claim claim) {
    if (claim.limit().algorithm() != Algorithm.CONCURRENCY && !claim.mode().isLocal()) {
      Claim here = claim.under(part(claim.limit()));
      Decision noted = counters.take(here);
      if (!noted.allowed() && noted.remaining() > 0) {
        // The store has let this server have more than its part.
        var unused = counters.take(here.costing(Math.min(here.cost(), noted.remaining())));
      }
    }
  }

  /**
   * The same of a counter without a limit, of which somebody else judges that {@code most} is it.
   */
  public void counted(Claim claim, long most) {
    long capacity = claim.limit().capacity();
    long before = capacity - counters.take(claim.costing(0)).remaining();
    long room = part(most) - before;
    if (room > 0) {
      var unused = counters.take(claim.costing(Math.min(claim.cost(), room)));
    }
  }

  /** Notes that the store was given back what it had granted. */
  public void gaveBack(Claim claim) {
    gaveBack(claim, false);
  }

  /**
   * The same.
   *
   * @param unlimited whether the counter has no limit, and somebody else judges by it
   */
  public void gaveBack(Claim claim, boolean unlimited) {
    if (claim.limit().algorithm() != Algorithm.CONCURRENCY && !claim.mode().isLocal()) {
      Claim here = unlimited ? claim : claim.under(part(claim.limit()));
      var unused = counters.refund(List.of(here));
    }
  }

  /** Notes that a counter of the store begins anew. */
  public void forgot(Claim claim) {
    if (!claim.mode().isLocal()) {
      pending.forget(claim.key());
      var unused = counters.forget(List.of(claim.under(part(claim.limit()))));
    }
  }

  /** Gives back places in flight, if they were counted here. */
  public void release(List<Claim> held) {
    var unused = store(false, false).refund(held);
  }

  /** Callers with grants that are not yet charged to the store. */
  public int owing() {
    return pending.size();
  }

  /** Callers of whom the store is being told. */
  public int paying() {
    return paying.get();
  }

  /** Permits granted here and since charged to the store. */
  public long settled() {
    return settled.sum();
  }

  /** Permits granted here of which the store may never hear. */
  public long lost() {
    return lost.sum() + pending.letGo();
  }

  /**
   * Charges to the store what is pending. Done when all of that is answered, or the store fails
   * again and again.
   *
   * @param reachable which counters the store answers about
   * @param forgot whether the store has lost its memory: then it is told what it granted to those
   *     who owe something, too
   */
  public CompletionStage<Void> settle(Store store, Predicate<LimitKey> reachable, boolean forgot) {
    Paced paced = new Paced(MAX_ON_THEIR_WAY);
    AtomicInteger failures = new AtomicInteger();
    // Each by itself: so what became of one says nothing of another, wherever the store keeps them.
    List<Claim> debts = pending.takeAll(reachable, ticker.micros());
    paying.addAndGet(debts.size());
    CompletableFuture<?>[] each =
        debts.stream()
            .map(debt -> paced.add(() -> settle(debt, store, forgot, failures)))
            .map(paid -> paid.whenComplete((done, failure) -> paying.decrementAndGet()))
            .toArray(CompletableFuture<?>[]::new);
    return CompletableFuture.allOf(each);
  }

  private CompletionStage<?> settle(
      Claim debt, Store store, boolean forgot, AtomicInteger failures) {
    Claim due = forgot ? whole(debt) : debt;
    if (failures.get() >= MAX_FAILURES) {
      keep(due, true);
      return CompletableFuture.completedStage(null);
    }
    return store
        .charge(List.of(due))
        .stage()
        .whenComplete(
            (said, failure) -> {
              if (failure == null) {
                settled.add(due.cost());
              } else {
                failures.incrementAndGet();
                keep(due, StoreFailure.effect(failure) == Effect.NONE);
              }
            });
  }

  private void keep(Claim claim, boolean undone) {
    if (undone) {
      pending.add(claim, part(claim.limit()), ticker.micros());
    } else {
      lost.add(claim.cost());
    }
  }

  /**
   * A debt, and what the store granted before it, which is in the same counter here; but not what
   * was granted here since, which is a debt by itself.
   */
  private Claim whole(Claim debt) {
    Limit part = part(debt.limit());
    Decision now = counters.look(List.of(debt.under(part).costing(0)));
    long used = part.capacity() - now.remaining() - pending.of(debt.key(), ticker.micros());
    return debt.costing(Math.max(debt.cost(), used));
  }
}
