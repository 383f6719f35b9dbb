package dev.weir.testkit.model;

import dev.weir.Algorithm;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.testkit.model.ModelCounter.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Computes what a store must answer, slowly and obviously.
 *
 * <p><b>How.</b> Counters are plain values counted in exact fractions of permits, from what the
 * operator wrote: permits, window, capacity. A request is applied to a copy of all counters, which
 * replaces the original only if every claim was granted.
 *
 * <p><b>Why this way.</b> The model shares no arithmetic with the algorithms it checks: no units,
 * no packed numbers, no rounding except at the very end of a wait. Only the tick and the bounds at
 * which charges saturate are taken from the limit, because they are part of the contract.
 *
 * <p><b>Guarantees.</b> Its decisions equal those of a correct store in every field, as long as the
 * clock does not step back before the moment a counter was as if never used: a store may have
 * dropped such a counter, and its last time with it; the model remembers. Not thread-safe.
 */
public final class ReferenceModel {
  private Map<LimitKey, State> counters = new HashMap<>();

  /** A counter, and the limit it was last written under. */
  private record State(Limit limit, ModelCounter counter) {}

  private enum Operation {
    TAKE,
    PEEK,
    REFUND,
    CHARGE
  }

  /** What {@link dev.weir.Store#take(List)} answers at {@code nowMicros}. */
  public Decision take(List<Claim> claims, long nowMicros) {
    return apply(Operation.TAKE, claims, nowMicros);
  }

  /** What {@link dev.weir.Store#peek} answers at {@code nowMicros}. */
  public Decision peek(List<Claim> claims, long nowMicros) {
    return apply(Operation.PEEK, claims, nowMicros);
  }

  /** What {@link dev.weir.Store#refund} answers at {@code nowMicros}. */
  public Decision refund(List<Claim> claims, long nowMicros) {
    return apply(Operation.REFUND, claims, nowMicros);
  }

  /** What {@link dev.weir.Store#charge} answers at {@code nowMicros}. */
  public Decision charge(List<Claim> claims, long nowMicros) {
    return apply(Operation.CHARGE, claims, nowMicros);
  }

  /** What {@link dev.weir.Store#reset} answers at {@code nowMicros}. */
  public Decision reset(List<Claim> claims, long nowMicros) {
    claims.forEach(claim -> counters.remove(claim.key()));
    return peek(claims, nowMicros);
  }

  private Decision apply(Operation operation, List<Claim> claims, long nowMicros) {
    Map<LimitKey, State> after = new HashMap<>(counters);
    List<Decision> each = new ArrayList<>();
    for (int i = 0; i < claims.size(); i++) {
      Claim claim = claims.get(i);
      ModelCounter counter = counter(after, claim, nowMicros);
      Outcome outcome =
          switch (operation) {
            case TAKE, PEEK -> take(counter, claims, i, nowMicros);
            case REFUND -> counter.refund(claim, nowMicros);
            case CHARGE -> counter.charge(claim, nowMicros);
          };
      after.put(claim.key(), new State(claim.limit(), outcome.next()));
      each.add(outcome.decision());
    }
    if (operation != Operation.PEEK && each.stream().allMatch(Decision::allowed)) {
      counters = after;
      return Decision.of(each);
    }
    for (int i = 0; i < each.size(); i++) {
      ModelCounter unspent = counter(counters, claims.get(i), nowMicros);
      Decision current = unspent.status(claims.get(i).limit(), nowMicros);
      each.set(i, each.get(i).withRemainingOf(current));
    }
    return Decision.of(each);
  }

  /**
   * Takes a claim. Claims of a request on one key are one larger claim, taken from the counter as
   * it was before the request; but permits of a concurrency limit are taken one by one.
   */
  private Outcome take(ModelCounter counter, List<Claim> claims, int index, long nowMicros) {
    Claim claim = claims.get(index);
    long before =
        claims.subList(0, index).stream()
            .filter(other -> other.key().equals(claim.key()))
            .mapToLong(Claim::cost)
            .sum();
    if (before == 0 || claim.limit().algorithm() == Algorithm.CONCURRENCY) {
      return counter.take(claim, nowMicros);
    }
    long cost = before + claim.cost();
    ModelCounter start = counter(counters, claim, nowMicros);
    if (cost > claim.limit().capacity()) {
      Decision current = start.status(claim.limit(), nowMicros);
      Decision never = Decision.of(Decision.Verdict.NEVER, 0, 0, 0).withRemainingOf(current);
      return new Outcome(start, never);
    }
    return start.take(claim.withCost(cost), nowMicros);
  }

  private static ModelCounter counter(Map<LimitKey, State> counters, Claim claim, long nowMicros) {
    State state = counters.get(claim.key());
    if (state == null) {
      return ModelCounter.unused(claim.limit());
    }
    return state.limit.countsLike(claim.limit())
        ? state.counter
        : migrated(state, claim, nowMicros);
  }

  /** The counter under a new limit: what was spent stays spent, up to the new capacity. */
  private static ModelCounter migrated(State state, Claim claim, long nowMicros) {
    Limit from = state.limit;
    Limit to = claim.limit();
    if (from.algorithm() == to.algorithm() && state.counter.keepsState(from, to)) {
      return state.counter;
    }
    if (from.algorithm() == Algorithm.CONCURRENCY || to.algorithm() == Algorithm.CONCURRENCY) {
      return ModelCounter.unused(to);
    }
    long used = state.counter.used(from, nowMicros);
    Claim spent = new Claim(to, claim.key(), Math.min(used, to.capacity()), 0);
    return ModelCounter.unused(to).take(spent, nowMicros).next();
  }
}
