package dev.weir.testkit.model;

import dev.weir.Algorithm;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Decision.Verdict;
import dev.weir.Limit;

/**
 * The model of a token bucket or leaky bucket: available permits, which refill at a constant rate.
 *
 * @param available how many permits could be taken; below zero is debt
 */
record ModelBucket(Rational available, long lastMicros) implements ModelCounter {

  static ModelBucket unused(Limit limit) {
    return new ModelBucket(Rational.of(limit.capacity()), 0);
  }

  @Override
  public Outcome take(Claim claim, long nowMicros) {
    Limit limit = claim.limit();
    ModelBucket now = refilled(limit, nowMicros);
    if (claim.cost() > limit.capacity()) {
      return new Outcome(this, now.decision(limit, nowMicros, Verdict.NEVER, 0));
    }
    Rational cost = Rational.of(claim.cost());
    Rational missing = cost.minus(now.available);
    if (missing.signum() > 0) {
      long wait = now.untilFlowed(limit, nowMicros, missing);
      return new Outcome(this, now.decision(limit, nowMicros, Verdict.DENIED, wait));
    }
    ModelBucket next = now.with(now.available.minus(cost));
    long delay = now.delay(claim, nowMicros);
    return new Outcome(next, next.decision(limit, nowMicros, Verdict.ALLOWED, delay));
  }

  @Override
  public Outcome charge(Claim claim, long nowMicros) {
    Limit limit = claim.limit();
    ModelBucket now = refilled(limit, nowMicros);
    Rational maxLevel = Rational.of(limit.maxLevelUnits(), limit.unitsPerPermit());
    Rational min = Rational.of(limit.capacity()).minus(maxLevel);
    ModelBucket next = now.with(now.available.minus(Rational.of(claim.cost())).max(min));
    return new Outcome(next, next.status(limit, nowMicros));
  }

  @Override
  public Outcome refund(Claim claim, long nowMicros) {
    Limit limit = claim.limit();
    ModelBucket now = refilled(limit, nowMicros);
    Rational refunded = now.available.plus(Rational.of(claim.cost()));
    ModelBucket next = now.with(refunded.min(Rational.of(limit.capacity())));
    return new Outcome(next, next.status(limit, nowMicros));
  }

  @Override
  public Decision status(Limit limit, long nowMicros) {
    return refilled(limit, nowMicros).decision(limit, nowMicros, Verdict.ALLOWED, 0);
  }

  @Override
  public long used(Limit limit, long nowMicros) {
    return refilled(limit, nowMicros).missing(limit).ceil();
  }

  @Override
  public boolean keepsState(Limit from, Limit to) {
    return false;
  }

  private ModelBucket with(Rational available) {
    return new ModelBucket(available, lastMicros);
  }

  private ModelBucket refilled(Limit limit, long nowMicros) {
    if (ModelCounter.isAhead(limit, lastMicros, nowMicros)) {
      return unused(limit).refilled(limit, nowMicros);
    }
    long now = Math.max(ModelCounter.quantised(limit, nowMicros), lastMicros);
    Rational flowed =
        Rational.of(limit.permits(), limit.windowMicros()).times(Rational.of(now - lastMicros));
    Rational max = Rational.of(limit.capacity());
    return new ModelBucket(available.plus(flowed).min(max), now);
  }

  private Rational missing(Limit limit) {
    return Rational.of(limit.capacity()).minus(available);
  }

  /** A leaky bucket releases one permit after the other, including those of this claim. */
  private long delay(Claim claim, long nowMicros) {
    Limit limit = claim.limit();
    if (limit.algorithm() == Algorithm.TOKEN_BUCKET || claim.cost() == 0) {
      return 0;
    }
    Rational ahead = missing(limit).plus(Rational.of(claim.cost() - 1));
    return untilFlowed(limit, nowMicros, ahead);
  }

  private long untilFlowed(Limit limit, long nowMicros, Rational permits) {
    if (permits.signum() == 0) {
      return 0;
    }
    Rational takes = permits.times(Rational.of(limit.windowMicros(), limit.permits()));
    return lastMicros + ModelCounter.roundedUp(limit, takes) - nowMicros;
  }

  private Decision decision(Limit limit, long nowMicros, Verdict verdict, long waitMicros) {
    long reset = untilFlowed(limit, nowMicros, missing(limit));
    return Decision.of(verdict, available.floor(), waitMicros, reset);
  }
}
