package dev.weir.shared.fallback;

import dev.weir.Algorithm;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.algorithm.Counter;
import dev.weir.algorithm.Step;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Local grants that are not yet charged to the shared store, by key.
 *
 * <p><b>How.</b> Each key has a counter by the algorithm of its limit, so a pending charge decays
 * as the limit's own counter does: what has flowed back, or belongs to a window that has ended, is
 * not charged. So no key ever has more pending than a window's worth, however long the outage.
 *
 * <p><b>Bounds.</b> The number of keys and the entries of all logs together are bounded. When a
 * bound is reached, a charge of a rule that uses more than its share makes room for one of a rule
 * that uses less: a flood under one rule does not cost another rule its charges.
 *
 * <p>Safe for use by any number of threads.
 */
final class PendingCharges {
  /** Charges of more keys than these are dropped, and counted as dropped. */
  static final int MAX_KEYS = 100_000;

  /** The maximum of entries in the logs of all keys together: 32 MB. */
  private static final long MAX_LOG_ENTRIES = 4_000_000;

  /** The minimum time between two sweeps for charges that have decayed. */
  private static final long SWEEP_MICROS = 100_000;

  private final int maxKeys;
  private final long maxLogEntries;
  private final Map<LimitKey, Pending> pending = new ConcurrentHashMap<>();

  /** What the charges of each group of limits use. */
  private final Map<Long, Usage> usage = new ConcurrentHashMap<>();

  private final LongAdder dropped = new LongAdder();
  private final AtomicLong logEntries = new AtomicLong();
  private long sweptMicros = Long.MIN_VALUE / 2;
  private Iterator<Map.Entry<LimitKey, Pending>> victims = Collections.emptyIterator();

  PendingCharges() {
    this(MAX_KEYS, MAX_LOG_ENTRIES);
  }

  PendingCharges(int maxKeys, long maxLogEntries) {
    this.maxKeys = maxKeys;
    this.maxLogEntries = maxLogEntries;
  }

  /** How many keys, and how many log entries. */
  private record Usage(long keys, long logEntries) {
    private static final Usage NONE = new Usage(0, 0);

    Usage plus(Pending one) {
      return new Usage(keys + 1, logEntries + one.logEntries());
    }

    Usage minus(Pending one) {
      return new Usage(keys - 1, logEntries - one.logEntries());
    }
  }

  /**
   * The pending charge of one key.
   *
   * @param limit the limit as written in the rules
   * @param part this server's part of it
   */
  private record Pending(Limit limit, Limit part, Step state) {
    Pending plus(long cost, LimitKey key, long nowMicros) {
      Claim claim = new Claim(part, key, cost, 0);
      return new Pending(
          limit, part, Counter.charge(state.level(), state.at(), state.log(), claim, nowMicros));
    }

    Pending minus(long cost, LimitKey key, long nowMicros) {
      Claim claim = new Claim(part, key, cost, 0);
      return new Pending(
          limit, part, Counter.refund(state.level(), state.at(), state.log(), claim, nowMicros));
    }

    long group() {
      return part.group();
    }

    int logEntries() {
      return state.log().length;
    }

    long amount(long nowMicros) {
      return Math.min(
          limit.capacity(), Counter.used(state.level(), state.at(), state.log(), part, nowMicros));
    }
  }

  /** Adds a local grant. Concurrency permits are never charged later. */
  void add(Claim claim, Limit part, long nowMicros) {
    if (claim.limit().algorithm() == Algorithm.CONCURRENCY || claim.cost() == 0) {
      return;
    }
    if (!hasRoom(claim.key(), part, nowMicros)) {
      dropped.add(claim.cost());
      return;
    }
    pending.compute(
        claim.key(),
        (key, before) ->
            replace(before, plus(before, claim.limit(), part, claim.cost(), key, nowMicros)));
  }

  private static Pending plus(
      @Nullable Pending before, Limit limit, Limit part, long cost, LimitKey key, long nowMicros) {
    boolean same = before != null && before.part.countsLike(part);
    long amount = before == null || same ? 0 : before.amount(nowMicros);
    Pending counted =
        before != null && same ? before : new Pending(limit, part, empty(part, nowMicros));
    return counted.plus(amount + cost, key, nowMicros);
  }

  private boolean hasRoom(LimitKey key, Limit part, long nowMicros) {
    boolean full = pending.size() >= maxKeys && !pending.containsKey(key);
    if (full && !sweep(nowMicros) && !evict(part, Usage::keys, maxKeys, nowMicros)) {
      return false;
    }
    boolean fits = part.algorithm() != Algorithm.SLIDING_LOG || logEntries.get() < maxLogEntries;
    return fits || evict(part, Usage::logEntries, maxLogEntries, nowMicros);
  }

  private Pending replace(@Nullable Pending before, Pending after) {
    subtractUsage(before);
    logEntries.addAndGet(after.logEntries());
    usage.merge(after.group(), Usage.NONE.plus(after), (group, one) -> group.plus(after));
    return after;
  }

  private void subtractUsage(@Nullable Pending one) {
    if (one != null) {
      logEntries.addAndGet(-one.logEntries());
      usage.computeIfPresent(one.group(), (group, used) -> used.keys == 1 ? null : used.minus(one));
    }
  }

  private @Nullable Pending take(LimitKey key) {
    Pending taken = pending.remove(key);
    subtractUsage(taken);
    return taken;
  }

  /** Drops a charge of a group that uses more than this one would, and more than its share. */
  private synchronized boolean evict(
      Limit limit, ToLongFunction<Usage> amount, long max, long nowMicros) {
    Usage own = usage.getOrDefault(limit.group(), Usage.NONE);
    int groups = usage.size() + (own.keys == 0 ? 1 : 0);
    long threshold = Math.max(max / groups, amount.applyAsLong(own) + 1);
    if (usage.values().stream().noneMatch(used -> amount.applyAsLong(used) > threshold)) {
      return false;
    }
    for (int pass = 0; pass < 2; pass++) {
      while (victims.hasNext()) {
        Map.Entry<LimitKey, Pending> victim = victims.next();
        Usage group = usage.getOrDefault(victim.getValue().group(), Usage.NONE);
        boolean makesRoom = amount.applyAsLong(Usage.NONE.plus(victim.getValue())) > 0;
        boolean evicted = makesRoom && amount.applyAsLong(group) > threshold;
        Pending gone = evicted ? take(victim.getKey()) : null;
        if (gone != null) {
          dropped.add(gone.amount(nowMicros));
          return true;
        }
      }
      victims = pending.entrySet().iterator();
    }
    return false;
  }

  /** Removes charges that have decayed to nothing; returns whether there is room for a key. */
  private synchronized boolean sweep(long nowMicros) {
    if (Math.abs(nowMicros - sweptMicros) > SWEEP_MICROS) {
      sweptMicros = nowMicros;
      for (LimitKey key : List.copyOf(pending.keySet())) {
        pending.computeIfPresent(
            key,
            (same, one) -> {
              boolean decayed = one.amount(nowMicros) == 0;
              subtractUsage(decayed ? one : null);
              return decayed ? null : one;
            });
      }
    }
    return pending.size() < maxKeys;
  }

  private static Step empty(Limit limit, long nowMicros) {
    Decision decision = Counter.peek(0, 0, Step.NO_LOG, limit, nowMicros);
    return new Step(0, 0, Step.NO_LOG, decision);
  }

  /** Subtracts a local refund. */
  void refund(Claim claim, long nowMicros) {
    pending.computeIfPresent(
        claim.key(), (key, before) -> replace(before, before.minus(claim.cost(), key, nowMicros)));
  }

  /** Removes the charge of a key that was reset. */
  void remove(LimitKey key) {
    var unused = take(key);
  }

  /** The permits that are pending for a key now. */
  long amount(LimitKey key, long nowMicros) {
    Pending one = pending.get(key);
    return one == null ? 0 : one.amount(nowMicros);
  }

  /** Removes the charges of reachable keys, and returns each as a claim to be charged. */
  List<Claim> drain(Predicate<LimitKey> reachable, long nowMicros) {
    List<Claim> claims = new ArrayList<>();
    for (LimitKey key : List.copyOf(pending.keySet())) {
      Pending one = reachable.test(key) ? take(key) : null;
      long cost = one == null ? 0 : one.amount(nowMicros);
      if (one != null && cost > 0) {
        claims.add(new Claim(one.limit, key, cost, 0));
      }
    }
    return claims;
  }

  int size() {
    return pending.size();
  }

  /** Permits that were dropped because a bound was reached. */
  long dropped() {
    return dropped.sum();
  }
}
