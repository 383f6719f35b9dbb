package dev.weir.redis;

import dev.weir.Algorithm;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.algorithm.Counter;
import dev.weir.algorithm.Step;
import dev.weir.operation.Operation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Counters kept by the Java functions the way the script keeps its own: what is as if never used at
 * the end of a call that wrote it is dropped, and its last time with it.
 */
final class JavaCounters {
  private static final Step UNUSED =
      new Step(0, 0, Step.NO_LOG, Decision.of(Decision.Verdict.ALLOWED, 0, 0, 0));

  private final Set<LimitKey> written = new HashSet<>();
  private Map<LimitKey, Kept> counters = new HashMap<>();

  /** A counter, and the limit it was last written under. */
  private record Kept(Limit limit, Step state) {}

  Decision apply(Operation operation, List<Claim> claims, long nowMicros) {
    if (operation == Operation.FORGET) {
      claims.forEach(claim -> counters.remove(claim.key()));
      claims.forEach(claim -> written.add(claim.key()));
      return apply(Operation.LOOK, claims, nowMicros);
    }
    Map<LimitKey, Kept> after = new HashMap<>(counters);
    List<Decision> each = new ArrayList<>();
    for (int i = 0; i < claims.size(); i++) {
      Claim claim = claims.get(i);
      Step from = state(after, claim, nowMicros);
      Step step =
          switch (operation) {
            case REFUND -> Counter.refund(from.level(), from.at(), from.log(), claim, nowMicros);
            case CHARGE -> Counter.charge(from.level(), from.at(), from.log(), claim, nowMicros);
            default -> take(from, claims, i, nowMicros);
          };
      after.put(claim.key(), new Kept(claim.limit(), step));
      each.add(step.decision());
    }
    if (operation != Operation.LOOK && each.stream().allMatch(Decision::allowed)) {
      counters = after;
      claims.forEach(claim -> written.add(claim.key()));
      return Decision.of(each);
    }
    for (int i = 0; i < each.size(); i++) {
      Claim claim = claims.get(i);
      Step state = state(counters, claim, nowMicros);
      Decision standing =
          Counter.look(state.level(), state.at(), state.log(), claim.limit(), nowMicros);
      each.set(i, each.get(i).unspent(standing));
    }
    return Decision.of(each);
  }

  /** Claims on one counter are taken together, from where the request began. */
  private Step take(Step from, List<Claim> claims, int index, long nowMicros) {
    Claim claim = claims.get(index);
    Limit limit = claim.limit();
    long before =
        claims.subList(0, index).stream()
            .filter(other -> other.key().equals(claim.key()))
            .mapToLong(Claim::cost)
            .sum();
    boolean alone = before == 0 || limit.algorithm() == Algorithm.CONCURRENCY;
    Step start = alone ? from : state(counters, claim, nowMicros);
    long cost = alone ? claim.cost() : before + claim.cost();
    return Counter.take(
        start.level(), start.at(), start.log(), limit, nowMicros, cost, claim.permit());
  }

  private static Step state(Map<LimitKey, Kept> counters, Claim claim, long nowMicros) {
    Kept kept = counters.get(claim.key());
    if (kept == null) {
      return UNUSED;
    }
    Step state = kept.state;
    return kept.limit.countsLike(claim.limit())
        ? state
        : Counter.carried(
            state.level(), state.at(), state.log(), kept.limit, claim.limit(), nowMicros);
  }

  void endOfCall(long nowMicros) {
    for (LimitKey key : written) {
      Kept kept = counters.get(key);
      if (kept != null && isAsIfNeverUsed(kept, nowMicros)) {
        counters.remove(key);
      }
    }
    written.clear();
  }

  private static boolean isAsIfNeverUsed(Kept kept, long nowMicros) {
    Step state = kept.state;
    boolean empty = state.level() == 0 && state.log().length == 0;
    return empty || Counter.isUnused(state.level(), state.at(), state.log(), kept.limit, nowMicros);
  }
}
