package dev.weir.redis.batch;

import dev.weir.Algorithm;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.Operation;
import dev.weir.algorithm.Counter;
import dev.weir.algorithm.Step;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Counters on the Java functions that are stored like those of the script: a counter that is as if
 * never used at the end of a call that wrote it is dropped, together with its last time.
 */
final class JavaCounters {
  private static final Step UNUSED =
      new Step(0, 0, Step.NO_LOG, Decision.of(Decision.Verdict.ALLOWED, 0, 0, 0));

  private final Set<LimitKey> written = new HashSet<>();
  private Map<LimitKey, Entry> counters = new HashMap<>();

  /** The state of a counter, and the limit it was last written under. */
  private record Entry(Limit limit, Step state) {}

  Decision apply(Operation operation, List<Claim> claims, long nowMicros) {
    if (operation == Operation.RESET) {
      claims.forEach(claim -> counters.remove(claim.key()));
      claims.forEach(claim -> written.add(claim.key()));
      return apply(Operation.PEEK, claims, nowMicros);
    }
    Map<LimitKey, Entry> after = new HashMap<>(counters);
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
      after.put(claim.key(), new Entry(claim.limit(), step));
      each.add(step.decision());
    }
    if (operation != Operation.PEEK && each.stream().allMatch(Decision::allowed)) {
      counters = after;
      claims.forEach(claim -> written.add(claim.key()));
      return Decision.of(each);
    }
    for (int i = 0; i < each.size(); i++) {
      Claim claim = claims.get(i);
      Step state = state(counters, claim, nowMicros);
      Decision standing =
          Counter.peek(state.level(), state.at(), state.log(), claim.limit(), nowMicros);
      each.set(i, each.get(i).withRemainingOf(standing));
    }
    return Decision.of(each);
  }

  /** Takes claims on one counter together, from the state before the request. */
  private Step take(Step from, List<Claim> claims, int index, long nowMicros) {
    Claim claim = claims.get(index);
    Limit limit = claim.limit();
    long before =
        claims.subList(0, index).stream()
            .filter(other -> other.key().equals(claim.key()))
            .mapToLong(Claim::cost)
            .sum();
    boolean isSeparate = before == 0 || limit.algorithm() == Algorithm.CONCURRENCY;
    Step start = isSeparate ? from : state(counters, claim, nowMicros);
    long cost = isSeparate ? claim.cost() : before + claim.cost();
    return Counter.take(
        start.level(), start.at(), start.log(), limit, nowMicros, cost, claim.holder());
  }

  private static Step state(Map<LimitKey, Entry> counters, Claim claim, long nowMicros) {
    Entry entry = counters.get(claim.key());
    if (entry == null) {
      return UNUSED;
    }
    Step state = entry.state;
    return entry.limit.countsLike(claim.limit())
        ? state
        : Counter.migrate(
            state.level(), state.at(), state.log(), entry.limit, claim.limit(), nowMicros);
  }

  void endOfCall(long nowMicros) {
    for (LimitKey key : written) {
      Entry entry = counters.get(key);
      if (entry != null && isAsIfNeverUsed(entry, nowMicros)) {
        counters.remove(key);
      }
    }
    written.clear();
  }

  private static boolean isAsIfNeverUsed(Entry entry, long nowMicros) {
    Step state = entry.state;
    boolean empty = state.level() == 0 && state.log().length == 0;
    return empty
        || Counter.isUnused(state.level(), state.at(), state.log(), entry.limit, nowMicros);
  }
}
