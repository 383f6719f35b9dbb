package dev.weir.testkit.model;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Decision.Verdict;
import dev.weir.Limit;

/**
 * The model of a sliding counter: the counts of the window of {@code lastMicros} and the previous.
 */
record ModelSlidingCounter(long lastMicros, long current, long previous) implements ModelCounter {
  static final ModelSlidingCounter UNUSED = new ModelSlidingCounter(0, 0, 0);

  @Override
  public Outcome take(Claim claim, long nowMicros) {
    Limit limit = claim.limit();
    ModelSlidingCounter now = at(limit, nowMicros);
    if (claim.cost() > limit.permits()) {
      return new Outcome(this, now.decision(limit, nowMicros, Verdict.NEVER, 0));
    }
    Rational load = now.load(limit).plus(Rational.of(claim.cost()));
    if (load.compareTo(Rational.of(limit.permits())) > 0) {
      long wait = now.roomAt(claim) - nowMicros;
      return new Outcome(this, now.decision(limit, nowMicros, Verdict.DENIED, wait));
    }
    return now.counting(now.current + claim.cost(), now.previous, limit, nowMicros);
  }

  @Override
  public Outcome charge(Claim claim, long nowMicros) {
    Limit limit = claim.limit();
    ModelSlidingCounter now = at(limit, nowMicros);
    long windowTicks = limit.windowMicros() / limit.tickMicros();
    long max = Math.min(Limit.MAX_COUNTER_PERMITS, Limit.MAX_CAPACITY_UNITS / windowTicks);
    long charged = Math.min(now.current + claim.cost(), max);
    return now.counting(charged, now.previous, limit, nowMicros);
  }

  @Override
  public Outcome refund(Claim claim, long nowMicros) {
    ModelSlidingCounter now = at(claim.limit(), nowMicros);
    long fromCurrent = Math.min(claim.cost(), now.current);
    long fromPrevious = Math.min(claim.cost() - fromCurrent, now.previous);
    return now.counting(
        now.current - fromCurrent, now.previous - fromPrevious, claim.limit(), nowMicros);
  }

  @Override
  public Decision status(Limit limit, long nowMicros) {
    return at(limit, nowMicros).decision(limit, nowMicros, Verdict.ALLOWED, 0);
  }

  @Override
  public long used(Limit limit, long nowMicros) {
    return at(limit, nowMicros).load(limit).ceil();
  }

  @Override
  public boolean keepsState(Limit from, Limit to) {
    return from.windowMicros() == to.windowMicros() && from.tickMicros() == to.tickMicros();
  }

  private Outcome counting(long current, long previous, Limit limit, long nowMicros) {
    ModelSlidingCounter next = new ModelSlidingCounter(lastMicros, current, previous);
    return new Outcome(next, next.decision(limit, nowMicros, Verdict.ALLOWED, 0));
  }

  private ModelSlidingCounter at(Limit limit, long nowMicros) {
    if (ModelCounter.isAhead(limit, lastMicros, nowMicros)) {
      return UNUSED.at(limit, nowMicros);
    }
    long now = Math.max(ModelCounter.quantised(limit, nowMicros), lastMicros);
    long start = start(limit);
    if (now < start + limit.windowMicros()) {
      return new ModelSlidingCounter(now, current, previous);
    }
    if (now < start + 2 * limit.windowMicros()) {
      return new ModelSlidingCounter(now, 0, current);
    }
    return new ModelSlidingCounter(now, 0, 0);
  }

  private long start(Limit limit) {
    return lastMicros - lastMicros % limit.windowMicros();
  }

  private Rational load(Limit limit) {
    long elapsed = lastMicros - start(limit);
    Rational share = Rational.of(limit.windowMicros() - elapsed, limit.windowMicros());
    return Rational.of(current).plus(share.times(Rational.of(previous)));
  }

  /**
   * The first tick at which the claim fits. A count c that fades over a window leaves room for the
   * rest r once its share is down to r/c.
   */
  private long roomAt(Claim claim) {
    Limit limit = claim.limit();
    long window = limit.windowMicros();
    long rest = limit.permits() - claim.cost();
    boolean thisWindow = current <= rest;
    long fading = thisWindow ? previous : current;
    long start = thisWindow ? start(limit) : start(limit) + window;
    Rational share = Rational.of(thisWindow ? rest - current : rest, fading);
    Rational elapsed = Rational.ONE.minus(share).times(Rational.of(window));
    return start + ModelCounter.roundedUp(limit, elapsed);
  }

  private Decision decision(Limit limit, long nowMicros, Verdict verdict, long waitMicros) {
    Rational room = Rational.of(limit.permits()).minus(load(limit));
    long windows = current > 0 ? 2 : previous > 0 ? 1 : 0;
    long gone = start(limit) + windows * limit.windowMicros();
    long reset = windows == 0 ? 0 : gone - nowMicros;
    return Decision.of(verdict, room.floor(), waitMicros, reset);
  }
}
