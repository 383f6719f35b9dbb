package dev.weir.shared.fallback;

import dev.weir.Algorithm;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.Store;
import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import dev.weir.async.AsyncBulkhead;
import dev.weir.memory.MemoryStore;
import dev.weir.shared.fleet.Fleet;
import dev.weir.shared.fleet.Fleet.Position;
import dev.weir.shared.fleet.LimitScaler;
import dev.weir.time.Ticker;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;

/**
 * Counts in this process while the shared store does not answer, for rules with that failure mode.
 *
 * <p><b>How.</b> Before an outage, grants of the store are mirrored to local counters, as far as
 * these have room, so that an outage does not begin with a budget that is already spent. During an
 * outage, {@link FallbackStore} grants this server's part of each limit, by the last known size of
 * the fleet, and its grants become pending charges. After the outage, {@link #settle} charges them
 * to the store, one key at a time.
 *
 * <p><b>Guarantees.</b> All servers together grant no more than each limit, except that every
 * server grants at least one permit, as long as they agree on the size of the fleet. Nothing is
 * charged twice: if the store may have counted a request itself, because only its answer was lost,
 * the local grant is not charged. Memory for pending charges is bounded; what is dropped is counted
 * in {@link #lost()}.
 *
 * <p>Safe for use by any number of threads.
 */
public final class LocalFallback {
  /** How many parts of limits are cached. */
  private static final int MAX_PARTS = 10_000;

  /** How many charges are sent to the store at a time. */
  private static final int MAX_IN_FLIGHT = 64;

  /** After so many failed charges, {@link #settle} sends no more of them. */
  private static final int MAX_FAILURES = 16;

  private final MemoryStore counters;
  private final Fleet fleet;
  private final Ticker ticker;
  private final PendingCharges pending = new PendingCharges();
  private final LongAdder settled = new LongAdder();
  private final LongAdder lost = new LongAdder();
  private final AtomicInteger inFlight = new AtomicInteger();
  private volatile PartCache parts;

  /** The parts of limits at one position in the fleet. */
  private record PartCache(Position position, Map<GroupedLimit, Limit> limits) {}

  /** A limit and its group: limits of two rules may be equal. */
  private record GroupedLimit(Limit limit, long group) {}

  /**
   * A fallback for one server of a fleet.
   *
   * @param counters the local counters, which claims in local mode use all the time
   */
  public LocalFallback(MemoryStore counters, Fleet fleet, Ticker ticker) {
    this.counters = counters;
    this.fleet = fleet;
    this.ticker = ticker;
    this.parts = new PartCache(fleet.position(), new ConcurrentHashMap<>());
  }

  /** A fallback for a server without a fleet: its part is the whole limit. */
  public static LocalFallback alone(MemoryStore counters) {
    return new LocalFallback(counters, Fleet.alone(), Ticker.system());
  }

  /** The store that takes over a request after this failure of the shared one. */
  public FallbackStore storeAfter(StoreFailure failure) {
    return store(failure.effect() == Effect.NONE, false);
  }

  /** Like {@link #storeAfter}, for requests on {@linkplain #mirrorTally tallies}. */
  public FallbackStore talliesAfter(StoreFailure failure) {
    return store(failure.effect() == Effect.NONE, true);
  }

  /** This server's part of {@code permits}: at least 1, unless there are none. */
  public long part(long permits) {
    Position position = fleet.position();
    long remainder = position.rank() < permits % position.size() ? 1 : 0;
    return permits == 0 ? 0 : Math.max(1, permits / position.size() + remainder);
  }

  Limit part(Limit limit) {
    Position position = fleet.position();
    PartCache cache = parts;
    if (!cache.position.equals(position) || cache.limits.size() > MAX_PARTS) {
      cache = new PartCache(position, new ConcurrentHashMap<>());
      parts = cache;
    }
    return cache.limits.computeIfAbsent(
        new GroupedLimit(limit, limit.group()), whole -> LimitScaler.of(whole.limit, position));
  }

  private FallbackStore store(boolean chargesLater, boolean tallies) {
    return new FallbackStore(this, counters, pending, ticker, chargesLater, tallies);
  }

  /** Mirrors a grant of the store. */
  public void mirrorGrant(Claim claim) {
    if (isMirrored(claim)) {
      Claim local = claim.withLimit(part(claim.limit()));
      Decision decision = counters.take(local);
      if (!decision.allowed() && decision.remaining() > 0) {
        // The store granted this server more than its part.
        var unused = counters.take(local.withCost(Math.min(local.cost(), decision.remaining())));
      }
    }
  }

  /**
   * Mirrors a grant on a tally: a counter whose own limit is never reached, because the caller of
   * the store compares the count with {@code max}.
   */
  public void mirrorTally(Claim claim, long max) {
    long capacity = claim.limit().capacity();
    long used = capacity - counters.take(claim.withCost(0)).remaining();
    long room = part(max) - used;
    if (room > 0) {
      var unused = counters.take(claim.withCost(Math.min(claim.cost(), room)));
    }
  }

  /** Mirrors a refund that the store executed. */
  public void mirrorRefund(Claim claim) {
    if (isMirrored(claim)) {
      var unused = counters.refund(List.of(claim.withLimit(part(claim.limit()))));
    }
  }

  /** Mirrors a refund on a {@linkplain #mirrorTally tally}. */
  public void mirrorTallyRefund(Claim claim) {
    if (isMirrored(claim)) {
      var unused = counters.refund(List.of(claim));
    }
  }

  private static boolean isMirrored(Claim claim) {
    return claim.limit().algorithm() != Algorithm.CONCURRENCY && !claim.mode().isLocal();
  }

  /** Mirrors a reset that the store executed: nothing is pending for the key any more. */
  public void mirrorReset(Claim claim) {
    if (!claim.mode().isLocal()) {
      pending.remove(claim.key());
      var unused = counters.reset(List.of(claim.withLimit(part(claim.limit()))));
    }
  }

  /** Refunds what was granted locally, and does not charge it to the store. */
  public void refundLocal(List<Claim> granted) {
    var unused = store(true, false).refund(granted);
  }

  /** Releases concurrency permits, if they were granted locally. */
  public void release(List<Claim> held) {
    var unused = store(false, false).refund(held);
  }

  /** Keys with local grants that are not yet charged to the store. */
  public int pendingKeys() {
    return pending.size();
  }

  /** Keys whose charges are being sent to the store. */
  public int inFlight() {
    return inFlight.get();
  }

  /** Permits that were granted locally and since charged to the store. */
  public long settled() {
    return settled.sum();
  }

  /** Permits that were granted locally and may never be charged to the store. */
  public long lost() {
    return lost.sum() + pending.dropped();
  }

  /**
   * Charges to the store what is pending. The stage completes when the store has answered all
   * charges; after too many failures, the rest stays pending.
   *
   * @param reachable tells which keys can be charged
   * @param dataLost whether the store lost its data: then keys with pending charges are also
   *     charged with what the store itself granted before
   */
  public CompletionStage<Void> settle(
      Store store, Predicate<LimitKey> reachable, boolean dataLost) {
    AsyncBulkhead bulkhead = new AsyncBulkhead(MAX_IN_FLIGHT);
    AtomicInteger failures = new AtomicInteger();
    // Each key by itself, so that the result of one says nothing about another, in whatever shard.
    List<Claim> charges = pending.drain(reachable, ticker.micros());
    inFlight.addAndGet(charges.size());
    CompletableFuture<?>[] all =
        charges.stream()
            .map(charge -> bulkhead.submit(() -> settle(charge, store, dataLost, failures)))
            .map(done -> done.whenComplete((ok, failure) -> inFlight.decrementAndGet()))
            .toArray(CompletableFuture<?>[]::new);
    return CompletableFuture.allOf(all);
  }

  private CompletionStage<?> settle(
      Claim pendingCharge, Store store, boolean dataLost, AtomicInteger failures) {
    Claim charge = dataLost ? withEarlierGrants(pendingCharge) : pendingCharge;
    if (failures.get() >= MAX_FAILURES) {
      onNotCharged(charge, Effect.NONE);
      return CompletableFuture.completedStage(null);
    }
    return store
        .charge(List.of(charge))
        .stage()
        .whenComplete(
            (decision, failure) -> {
              if (failure == null) {
                settled.add(charge.cost());
              } else {
                failures.incrementAndGet();
                onNotCharged(charge, StoreFailure.effect(failure));
              }
            });
  }

  private void onNotCharged(Claim charge, Effect effect) {
    if (effect == Effect.NONE) {
      pending.add(charge, part(charge.limit()), ticker.micros());
    } else {
      lost.add(charge.cost());
    }
  }

  /**
   * A charge together with what the store granted before it, which the same local counter holds;
   * but without what was granted locally since, which is pending by itself.
   */
  private Claim withEarlierGrants(Claim charge) {
    Limit part = part(charge.limit());
    Decision now = counters.peek(List.of(charge.withLimit(part).withCost(0)));
    long used = part.capacity() - now.remaining() - pending.amount(charge.key(), ticker.micros());
    return charge.withCost(Math.max(charge.cost(), used));
  }
}
