package dev.weir.testkit;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.algorithm.Counter;
import dev.weir.algorithm.Step;

/** One counter kept by the pure functions alone: the state goes in, and what comes out is kept. */
final class PureCounter {
  static final LimitKey KEY = new LimitKey(1, 2);

  private Limit limit;
  private Step state;

  PureCounter(Limit limit) {
    this.limit = limit;
    this.state = new Step(0, 0, Step.NO_LOG, Decision.of(Decision.Verdict.ALLOWED, 0, 0, 0));
  }

  /** A counter in the same state, that goes its own way from here. */
  PureCounter copy() {
    PureCounter copy = new PureCounter(limit);
    copy.state = state;
    return copy;
  }

  Decision take(long cost, long nowMicros) {
    return take(Claim.of(limit, KEY, cost), nowMicros);
  }

  Decision take(Claim claim, long nowMicros) {
    Limit kept = limit;
    Step before = state;
    adopt(claim.limit(), nowMicros);
    Step step = Counter.take(state.level(), state.at(), state.log(), claim, nowMicros);
    if (!step.decision().allowed()) {
      limit = kept;
      state = before;
      return step.decision();
    }
    return keep(step);
  }

  Decision charge(Claim claim, long nowMicros) {
    adopt(claim.limit(), nowMicros);
    return keep(Counter.charge(state.level(), state.at(), state.log(), claim, nowMicros));
  }

  Decision refund(Claim claim, long nowMicros) {
    adopt(claim.limit(), nowMicros);
    return keep(Counter.refund(state.level(), state.at(), state.log(), claim, nowMicros));
  }

  Decision look(Claim claim, long nowMicros) {
    Limit kept = limit;
    Step before = state;
    adopt(claim.limit(), nowMicros);
    Step step = Counter.take(state.level(), state.at(), state.log(), claim, nowMicros);
    Decision standing =
        Counter.look(state.level(), state.at(), state.log(), claim.limit(), nowMicros);
    limit = kept;
    state = before;
    return step.decision().unspent(standing);
  }

  /** The state after the last step. */
  Step state() {
    return state;
  }

  private void adopt(Limit next, long nowMicros) {
    if (!limit.countsLike(next)) {
      state = Counter.carried(state.level(), state.at(), state.log(), limit, next, nowMicros);
      limit = next;
    }
  }

  private Decision keep(Step step) {
    state = step;
    return step.decision();
  }
}
