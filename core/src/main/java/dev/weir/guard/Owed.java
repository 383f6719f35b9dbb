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
import java.util.concurrent.atomic.LongAdder;

/**
 * What was granted here and is not yet known to the store.
 *
 * <p>Debts fade as the counters themselves do: what has flowed back, or is of a window that has
 * ended, is owed no more. So nobody ever owes more than a window's worth, however long it took.
 */
final class Owed {
  /** Debts of more callers than these are let go, and counted. */
  static final int MOST_KEYS = 100_000;

  private final Map<LimitKey, Debt> debts = new ConcurrentHashMap<>();
  private final LongAdder letGo = new LongAdder();

  /**
   * A counter of what is owed.
   *
   * @param limit as it stands in the rules
   * @param part of it that this server kept to
   */
  private record Debt(Limit limit, Limit part, Step state) {
    Debt more(long cost, LimitKey key, long nowMicros) {
      Claim claim = Claim.of(part, key, cost);
      return new Debt(
          limit, part, Counter.charge(state.level(), state.at(), state.log(), claim, nowMicros));
    }

    Debt less(long cost, LimitKey key, long nowMicros) {
      Claim claim = Claim.of(part, key, cost);
      return new Debt(
          limit, part, Counter.refund(state.level(), state.at(), state.log(), claim, nowMicros));
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
    if (debts.size() >= MOST_KEYS && !debts.containsKey(claim.key())) {
      letGo.add(claim.cost());
      return;
    }
    debts.compute(
        claim.key(),
        (key, known) -> {
          boolean same = known != null && known.part.countsLike(part);
          long before = known == null || same ? 0 : known.now(nowMicros);
          Debt debt = same ? known : new Debt(claim.limit(), part, nothing(part, nowMicros));
          return debt.more(before + claim.cost(), key, nowMicros);
        });
  }

  private static Step nothing(Limit limit, long nowMicros) {
    Decision empty = Counter.look(0, 0, Step.NO_LOG, limit, nowMicros);
    return new Step(0, 0, Step.NO_LOG, empty);
  }

  /** Notes that what was granted here was given back. */
  void giveBack(Claim claim, long nowMicros) {
    debts.computeIfPresent(claim.key(), (key, debt) -> debt.less(claim.cost(), key, nowMicros));
  }

  /** Takes out all debts, each as a claim to be charged. */
  List<Claim> takeAll(long nowMicros) {
    List<Claim> claims = new ArrayList<>();
    for (LimitKey key : List.copyOf(debts.keySet())) {
      Debt debt = debts.remove(key);
      long cost = debt == null ? 0 : debt.now(nowMicros);
      if (debt != null && cost > 0) {
        claims.add(Claim.of(debt.limit, key, cost));
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
