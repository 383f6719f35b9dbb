package dev.weir.guard;

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
 * What was granted here and is not yet known to the store.
 *
 * <p>Debts fade as the counters themselves do: what has flowed back, or is of a window that has
 * ended, is owed no more. So nobody ever owes more than a window's worth, however long it took.
 *
 * <p>There is room for so many callers, and for so much in logs. Where that is used up, a debt of a
 * rule that has more of it makes room for one of a rule that has less, so that a flood under one
 * rule does not cost another one its debts.
 */
final class Owed {
  /** Debts of more callers than these are let go, and counted. */
  static final int MAX_KEYS = 100_000;

  /** Logs of all of them together are no longer than this: 32 MB. */
  private static final long MAX_LOGGED = 4_000_000;

  /** All are looked at no more often than this to see which have faded. */
  private static final long SWEEP_MICROS = 100_000;

  private final int maxKeys;
  private final long maxLogged;
  private final Map<LimitKey, Debt> debts = new ConcurrentHashMap<>();

  /** What the debts of each group of limits take up. */
  private final Map<Long, Room> taken = new ConcurrentHashMap<>();

  private final LongAdder letGo = new LongAdder();
  private final AtomicLong logged = new AtomicLong();
  private long sweptMicros = Long.MIN_VALUE / 2;
  private Iterator<Map.Entry<LimitKey, Debt>> victims = Collections.emptyIterator();

  Owed() {
    this(MAX_KEYS, MAX_LOGGED);
  }

  Owed(int maxKeys, long maxLogged) {
    this.maxKeys = maxKeys;
    this.maxLogged = maxLogged;
  }

  /** Room for debts: how many of them, and how much in their logs. */
  private record Room(long keys, long logged) {
    private static final Room NONE = new Room(0, 0);

    Room plus(@Nullable Debt debt) {
      return debt == null ? this : new Room(keys + 1, logged + debt.logged());
    }

    Room minus(@Nullable Debt debt) {
      return debt == null ? this : new Room(keys - 1, logged - debt.logged());
    }
  }

  /**
   * A counter of what is owed.
   *
   * @param limit as it stands in the rules
   * @param part of it that this server kept to
   */
  private record Debt(Limit limit, Limit part, Step state) {
    Debt more(long cost, LimitKey key, long nowMicros) {
      Claim claim = new Claim(part, key, cost, 0);
      return new Debt(
          limit, part, Counter.charge(state.level(), state.at(), state.log(), claim, nowMicros));
    }

    Debt less(long cost, LimitKey key, long nowMicros) {
      Claim claim = new Claim(part, key, cost, 0);
      return new Debt(
          limit, part, Counter.refund(state.level(), state.at(), state.log(), claim, nowMicros));
    }

    long group() {
      return part.group();
    }

    int logged() {
      return state.log().length;
    }

    long now(long nowMicros) {
      return Math.min(
          limit.capacity(), Counter.used(state.level(), state.at(), state.log(), part, nowMicros));
    }
  }

  /** Notes that a claim was granted here. A place in flight is nobody's debt. */
  void add(Claim claim, Limit part, long nowMicros) {
    if (claim.limit().algorithm() == Algorithm.CONCURRENCY || claim.cost() == 0) {
      return;
    }
    if (!hasRoom(claim.key(), part, nowMicros)) {
      letGo.add(claim.cost());
      return;
    }
    debts.compute(
        claim.key(),
        (key, debt) ->
            replaced(debt, with(debt, claim.limit(), part, claim.cost(), key, nowMicros)));
  }

  private static Debt with(
      @Nullable Debt debt, Limit limit, Limit part, long cost, LimitKey key, long nowMicros) {
    boolean same = debt != null && debt.part.countsLike(part);
    long before = debt == null || same ? 0 : debt.now(nowMicros);
    Debt counted = debt != null && same ? debt : new Debt(limit, part, nothing(part, nowMicros));
    return counted.more(before + cost, key, nowMicros);
  }

  private boolean hasRoom(LimitKey key, Limit part, long nowMicros) {
    boolean full = debts.size() >= maxKeys && !debts.containsKey(key);
    if (full && !makesRoom(nowMicros) && !evicts(part, Room::keys, maxKeys, nowMicros)) {
      return false;
    }
    boolean fits = part.algorithm() != Algorithm.SLIDING_LOG || logged.get() < maxLogged;
    return fits || evicts(part, Room::logged, maxLogged, nowMicros);
  }

  private Debt replaced(@Nullable Debt before, Debt after) {
    forgotten(before);
    logged.addAndGet(after.logged());
    taken.merge(after.group(), Room.NONE.plus(after), (room, one) -> room.plus(after));
    return after;
  }

  private void forgotten(@Nullable Debt debt) {
    if (debt != null) {
      logged.addAndGet(-debt.logged());
      taken.computeIfPresent(
          debt.group(), (group, room) -> room.keys == 1 ? null : room.minus(debt));
    }
  }

  private @Nullable Debt removed(LimitKey key) {
    Debt debt = debts.remove(key);
    forgotten(debt);
    return debt;
  }

  /** Lets go of a debt of a group that has more than this one would, and more than its share. */
  private synchronized boolean evicts(
      Limit limit, ToLongFunction<Room> amount, long max, long nowMicros) {
    Room own = taken.getOrDefault(limit.group(), Room.NONE);
    int groups = taken.size() + (own.keys == 0 ? 1 : 0);
    long threshold = Math.max(max / groups, amount.applyAsLong(own) + 1);
    if (taken.values().stream().noneMatch(room -> amount.applyAsLong(room) > threshold)) {
      return false;
    }
    for (int turn = 0; turn < 2; turn++) {
      while (victims.hasNext()) {
        Map.Entry<LimitKey, Debt> one = victims.next();
        Room its = taken.getOrDefault(one.getValue().group(), Room.NONE);
        boolean helps = amount.applyAsLong(Room.NONE.plus(one.getValue())) > 0;
        boolean goes = helps && amount.applyAsLong(its) > threshold;
        Debt gone = goes ? removed(one.getKey()) : null;
        if (gone != null) {
          letGo.add(gone.now(nowMicros));
          return true;
        }
      }
      victims = debts.entrySet().iterator();
    }
    return false;
  }

  /** Drops what is owed no more. */
  private synchronized boolean makesRoom(long nowMicros) {
    if (Math.abs(nowMicros - sweptMicros) > SWEEP_MICROS) {
      sweptMicros = nowMicros;
      for (LimitKey key : List.copyOf(debts.keySet())) {
        debts.computeIfPresent(
            key,
            (same, debt) -> {
              boolean faded = debt.now(nowMicros) == 0;
              forgotten(faded ? debt : null);
              return faded ? null : debt;
            });
      }
    }
    return debts.size() < maxKeys;
  }

  private static Step nothing(Limit limit, long nowMicros) {
    Decision empty = Counter.look(0, 0, Step.NO_LOG, limit, nowMicros);
    return new Step(0, 0, Step.NO_LOG, empty);
  }

  /** Notes that what was granted here was given back. */
  void giveBack(Claim claim, long nowMicros) {
    debts.computeIfPresent(
        claim.key(), (key, debt) -> replaced(debt, debt.less(claim.cost(), key, nowMicros)));
  }

  /** Forgets what is owed of a counter that begins anew. */
  void forget(LimitKey key) {
    var unused = removed(key);
  }

  /** What is owed of a counter at the moment. */
  long of(LimitKey key, long nowMicros) {
    Debt debt = debts.get(key);
    return debt == null ? 0 : debt.now(nowMicros);
  }

  /** Takes out debts of counters that can be reached, each as a claim to be charged. */
  List<Claim> takeAll(Predicate<LimitKey> reachable, long nowMicros) {
    List<Claim> claims = new ArrayList<>();
    for (LimitKey key : List.copyOf(debts.keySet())) {
      Debt debt = reachable.test(key) ? removed(key) : null;
      long cost = debt == null ? 0 : debt.now(nowMicros);
      if (debt != null && cost > 0) {
        claims.add(new Claim(debt.limit, key, cost, 0));
      }
    }
    return claims;
  }

  int size() {
    return debts.size();
  }

  /** Permits that were not noted because too many callers are in debt. */
  long letGo() {
    return letGo.sum();
  }
}
