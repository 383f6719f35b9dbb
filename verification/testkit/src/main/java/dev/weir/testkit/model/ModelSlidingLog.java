package dev.weir.testkit.model;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Decision.Verdict;
import dev.weir.Limit;
import java.util.ArrayList;
import java.util.List;

/**
 * The model of a sliding log: every grant that is younger than a window, oldest first.
 *
 * <p>Once charges have filled the log with as many grants as the limit has permits, it does not
 * grow any more: later charges are added to the newest grant, which takes their time.
 */
record ModelSlidingLog(List<Grant> grants, long lastMicros) implements ModelCounter {
  static final ModelSlidingLog UNUSED = new ModelSlidingLog(List.of(), 0);

  record Grant(long micros, long permits) {}

  @Override
  public Outcome take(Claim claim, long nowMicros) {
    Limit limit = claim.limit();
    ModelSlidingLog now = at(limit, nowMicros);
    if (claim.cost() > limit.permits()) {
      return new Outcome(this, now.decision(limit, nowMicros, Verdict.NEVER, 0));
    }
    long excess = now.count() + claim.cost() - limit.permits();
    if (excess > 0) {
      long wait = now.roomAt(limit, excess) - nowMicros;
      return new Outcome(this, now.decision(limit, nowMicros, Verdict.DENIED, wait));
    }
    return now.granting(claim.cost(), limit, nowMicros);
  }

  @Override
  public Outcome charge(Claim claim, long nowMicros) {
    ModelSlidingLog now = at(claim.limit(), nowMicros);
    long room = Limit.MAX_LEVEL_UNITS - now.count();
    return now.granting(Math.min(claim.cost(), room), claim.limit(), nowMicros);
  }

  @Override
  public Outcome refund(Claim claim, long nowMicros) {
    ModelSlidingLog now = at(claim.limit(), nowMicros);
    List<Grant> left = new ArrayList<>(now.grants);
    long rest = claim.cost();
    while (rest > 0 && !left.isEmpty()) {
      Grant newest = left.remove(left.size() - 1);
      long refunded = Math.min(rest, newest.permits);
      rest -= refunded;
      if (refunded < newest.permits) {
        left.add(new Grant(newest.micros, newest.permits - refunded));
      }
    }
    ModelSlidingLog next = new ModelSlidingLog(left, now.lastMicros);
    return new Outcome(next, next.decision(claim.limit(), nowMicros, Verdict.ALLOWED, 0));
  }

  @Override
  public Decision status(Limit limit, long nowMicros) {
    return at(limit, nowMicros).decision(limit, nowMicros, Verdict.ALLOWED, 0);
  }

  @Override
  public long used(Limit limit, long nowMicros) {
    return at(limit, nowMicros).count();
  }

  @Override
  public boolean keepsState(Limit from, Limit to) {
    return true;
  }

  private Outcome granting(long permits, Limit limit, long nowMicros) {
    List<Grant> granted = new ArrayList<>(grants);
    if (permits > 0) {
      boolean full = grants.size() >= limit.permits();
      boolean sameMoment = !grants.isEmpty() && newest().micros == lastMicros;
      Grant joined = full || sameMoment ? granted.remove(granted.size() - 1) : new Grant(0, 0);
      granted.add(new Grant(lastMicros, joined.permits + permits));
    }
    ModelSlidingLog next = new ModelSlidingLog(granted, lastMicros);
    return new Outcome(next, next.decision(limit, nowMicros, Verdict.ALLOWED, 0));
  }

  private ModelSlidingLog at(Limit limit, long nowMicros) {
    if (ModelCounter.isAhead(limit, lastMicros, nowMicros)) {
      return UNUSED.at(limit, nowMicros);
    }
    long now = Math.max(nowMicros, lastMicros);
    List<Grant> young = new ArrayList<>(grants.size() + 1);
    for (Grant grant : grants) {
      if (now < grant.micros + limit.windowMicros()) {
        young.add(grant);
      }
    }
    return new ModelSlidingLog(young, now);
  }

  private long count() {
    long count = 0;
    for (Grant grant : grants) {
      count += grant.permits;
    }
    return count;
  }

  private Grant newest() {
    return grants.get(grants.size() - 1);
  }

  /** The moment when the oldest grants that make up {@code excess} have left. */
  private long roomAt(Limit limit, long excess) {
    long left = 0;
    for (Grant grant : grants) {
      left += grant.permits;
      if (left >= excess) {
        return grant.micros + limit.windowMicros();
      }
    }
    throw new IllegalStateException("excess: " + excess + " of " + left);
  }

  private Decision decision(Limit limit, long nowMicros, Verdict verdict, long waitMicros) {
    long reset = grants.isEmpty() ? 0 : newest().micros + limit.windowMicros() - nowMicros;
    return Decision.of(verdict, limit.permits() - count(), waitMicros, reset);
  }
}
