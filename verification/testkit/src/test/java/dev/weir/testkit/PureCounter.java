package dev.weir.testkit;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.algorithm.Counter;
import dev.weir.algorithm.Step;

/** One counter whose state is computed by the pure functions of the algorithms alone. */
public final class PureCounter {
  /** The key of all claims on pure counters. */
  public static final LimitKey KEY = new LimitKey(1, 2);

  private Limit limit;
  private Step state;

  public PureCounter(Limit limit) {
    this.limit = limit;
    this.state = new Step(0, 0, Step.NO_LOG, Decision.of(Decision.Verdict.ALLOWED, 0, 0, 0));
  }

  /** An independent counter in the same state. */
  public PureCounter copy() {
    PureCounter copy = new PureCounter(limit);
    copy.state = state;
    return copy;
  }

  public Decision take(long cost, long nowMicros) {
    return take(Claim.of(limit, KEY, cost), nowMicros);
  }

  public Decision take(Claim claim, long nowMicros) {
    Limit limitBefore = limit;
    Step before = state;
    adopt(claim.limit(), nowMicros);
    Step step = Counter.take(state.level(), state.at(), state.log(), claim, nowMicros);
    if (!step.decision().allowed()) {
      limit = limitBefore;
      state = before;
      return step.decision();
    }
    return keep(step);
  }

  public Decision charge(Claim claim, long nowMicros) {
    adopt(claim.limit(), nowMicros);
    return keep(Counter.charge(state.level(), state.at(), state.log(), claim, nowMicros));
  }

  Decision refund(Claim claim, long nowMicros) {
    adopt(claim.limit(), nowMicros);
    return keep(Counter.refund(state.level(), state.at(), state.log(), claim, nowMicros));
  }

  public Decision peek(Claim claim, long nowMicros) {
    Limit limitBefore = limit;
    Step before = state;
    adopt(claim.limit(), nowMicros);
    Step step = Counter.take(state.level(), state.at(), state.log(), claim, nowMicros);
    Decision current =
        Counter.peek(state.level(), state.at(), state.log(), claim.limit(), nowMicros);
    limit = limitBefore;
    state = before;
    return step.decision().withRemainingOf(current);
  }

  /** The state after the last step. */
  Step state() {
    return state;
  }

  private void adopt(Limit next, long nowMicros) {
    if (!limit.countsLike(next)) {
      state = Counter.migrate(state.level(), state.at(), state.log(), limit, next, nowMicros);
      limit = next;
    }
  }

  private Decision keep(Step step) {
    state = step;
    return step.decision();
  }
}
