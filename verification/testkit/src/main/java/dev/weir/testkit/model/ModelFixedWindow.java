package dev.weir.testkit.model;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Decision.Verdict;
import dev.weir.Limit;

/** The model of a fixed window: the count of the window that starts at {@code startMicros}. */
record ModelFixedWindow(long startMicros, long count) implements ModelCounter {
  static final ModelFixedWindow UNUSED = new ModelFixedWindow(0, 0);

  @Override
  public Outcome take(Claim claim, long nowMicros) {
    Limit limit = claim.limit();
    ModelFixedWindow now = at(limit, nowMicros);
    if (claim.cost() > limit.permits()) {
      return new Outcome(this, now.decision(limit, nowMicros, Verdict.NEVER));
    }
    if (now.count + claim.cost() > limit.permits()) {
      return new Outcome(this, now.decision(limit, nowMicros, Verdict.DENIED));
    }
    return now.counting(now.count + claim.cost(), limit, nowMicros);
  }

  @Override
  public Outcome charge(Claim claim, long nowMicros) {
    ModelFixedWindow now = at(claim.limit(), nowMicros);
    long charged = Math.min(now.count + claim.cost(), Limit.MAX_LEVEL_UNITS);
    return now.counting(charged, claim.limit(), nowMicros);
  }

  @Override
  public Outcome refund(Claim claim, long nowMicros) {
    ModelFixedWindow now = at(claim.limit(), nowMicros);
    return now.counting(Math.max(now.count - claim.cost(), 0), claim.limit(), nowMicros);
  }

  @Override
  public Decision status(Limit limit, long nowMicros) {
    return at(limit, nowMicros).decision(limit, nowMicros, Verdict.ALLOWED);
  }

  @Override
  public long used(Limit limit, long nowMicros) {
    return at(limit, nowMicros).count;
  }

  @Override
  public boolean keepsState(Limit from, Limit to) {
    return from.windowMicros() == to.windowMicros();
  }

  private Outcome counting(long count, Limit limit, long nowMicros) {
    ModelFixedWindow next = new ModelFixedWindow(startMicros, count);
    return new Outcome(next, next.decision(limit, nowMicros, Verdict.ALLOWED));
  }

  private ModelFixedWindow at(Limit limit, long nowMicros) {
    long ended = startMicros + limit.windowMicros();
    long start = nowMicros - nowMicros % limit.windowMicros();
    boolean stays = nowMicros < ended && !ModelCounter.isAhead(limit, startMicros, nowMicros);
    return stays ? this : new ModelFixedWindow(start, 0);
  }

  private Decision decision(Limit limit, long nowMicros, Verdict verdict) {
    long toEnd = startMicros + limit.windowMicros() - nowMicros;
    long wait = verdict == Verdict.DENIED ? toEnd : 0;
    return Decision.of(verdict, limit.permits() - count, wait, count == 0 ? 0 : toEnd);
  }
}
