package dev.weir.guard;

import dev.weir.Algorithm;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.algorithm.Counter;
import dev.weir.algorithm.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What was granted here and is not yet known to the store.
 *
 * <p>Debts fade as the counters themselves do: what has flowed back, or is of a window that has
 * ended, is owed no more. So nobody ever owes more than a window's worth, however long it took.
 */
final class Owed {
  /** Debts of more callers than these are let go, and counted. */
  static final int MOST_KEYS = 100_000;

  /** Logs of all of them together are no longer than this: 32 MB. */
  private static final long MOST_LOGGED = 4_000_000;

  /** All are looked at no more often than this to see which have faded. */
  private static final long SWEEP_MICROS = 100_000;

  private final Map<LimitKey, Debt> debts = new ConcurrentHashMap<>();
  private final LongAdder letGo = new LongAdder();
  private final AtomicLong logged = new AtomicLong();
  private long sweptMicros = Long.MIN_VALUE / 2;

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
    boolean known = debts.containsKey(claim.key());
    boolean logs = part.algorithm() == Algorithm.SLIDING_LOG && logged.get() >= MOST_LOGGED;
    if (logs || (!known && debts.size() >= MOST_KEYS && !makesRoom(nowMicros))) {
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

  private Debt replaced(@Nullable Debt before, Debt after) {
    logged.addAndGet(after.logged() - (before == null ? 0 : before.logged()));
    return after;
  }

  private @Nullable Debt removed(LimitKey key) {
    Debt debt = debts.remove(key);
    logged.addAndGet(debt == null ? 0 : -debt.logged());
    return debt;
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
              logged.addAndGet(faded ? -debt.logged() : 0);
              return faded ? null : debt;
            });
      }
    }
    return debts.size() < MOST_KEYS;
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
