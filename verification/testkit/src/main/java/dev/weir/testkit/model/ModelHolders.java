package dev.weir.testkit.model;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Decision.Verdict;
import dev.weir.Limit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The model of a concurrency limit: the holders of permits, and when they expire. */
record ModelHolders(List<Holder> holders, long lastMicros) implements ModelCounter {
  /** The longest wait that a denial asks for, because a holder may release a permit any time. */
  private static final long RETRY_MICROS = 1_000_000;

  static final ModelHolders UNUSED = new ModelHolders(List.of(), 0);

  record Holder(long number, long expiryMicros, long permits) {}

  @Override
  public Outcome take(Claim claim, long nowMicros) {
    Limit limit = claim.limit();
    ModelHolders now = at(limit, nowMicros);
    ModelHolders others = claim.cost() == 0 ? now : now.without(claim.holder());
    if (claim.cost() > limit.permits()) {
      return new Outcome(this, now.decision(limit, nowMicros, Verdict.NEVER, 0));
    }
    if (others.held() + claim.cost() > limit.permits()) {
      long room = others.roomAt(limit.permits() - claim.cost()) - nowMicros;
      long wait = Math.min(room, RETRY_MICROS);
      return new Outcome(this, now.decision(limit, nowMicros, Verdict.DENIED, wait));
    }
    if (claim.cost() == 0) {
      return new Outcome(this, now.decision(limit, nowMicros, Verdict.ALLOWED, 0));
    }
    List<Holder> after = new ArrayList<>(others.holders);
    long expiry = now.lastMicros + limit.windowMicros();
    after.add(new Holder(claim.holder(), expiry, claim.cost()));
    ModelHolders next = new ModelHolders(after, now.lastMicros);
    return new Outcome(next, next.decision(limit, nowMicros, Verdict.ALLOWED, 0));
  }

  @Override
  public Outcome charge(Claim claim, long nowMicros) {
    return new Outcome(this, status(claim.limit(), nowMicros));
  }

  @Override
  public Outcome refund(Claim claim, long nowMicros) {
    ModelHolders next = at(claim.limit(), nowMicros).without(claim.holder());
    return new Outcome(next, next.status(claim.limit(), nowMicros));
  }

  @Override
  public Decision status(Limit limit, long nowMicros) {
    return at(limit, nowMicros).decision(limit, nowMicros, Verdict.ALLOWED, 0);
  }

  @Override
  public long used(Limit limit, long nowMicros) {
    return at(limit, nowMicros).held();
  }

  @Override
  public boolean keepsState(Limit from, Limit to) {
    return true;
  }

  private ModelHolders at(Limit limit, long nowMicros) {
    if (ModelCounter.isAhead(limit, lastMicros, nowMicros)) {
      return UNUSED.at(limit, nowMicros);
    }
    long now = Math.max(nowMicros, lastMicros);
    List<Holder> live = new ArrayList<>(holders);
    live.removeIf(holder -> holder.expiryMicros <= now);
    return new ModelHolders(live, now);
  }

  private ModelHolders without(long number) {
    List<Holder> others = new ArrayList<>(holders);
    others.removeIf(holder -> holder.number == number);
    return new ModelHolders(others, lastMicros);
  }

  private long held() {
    return holders.stream().mapToLong(Holder::permits).sum();
  }

  /** The moment when no more than {@code rest} is held, if no holder renews. */
  private long roomAt(long rest) {
    List<Holder> bySoonest = new ArrayList<>(holders);
    bySoonest.sort(Comparator.comparingLong(Holder::expiryMicros));
    long held = held();
    for (Holder holder : bySoonest) {
      held -= holder.permits;
      if (held <= rest) {
        return holder.expiryMicros;
      }
    }
    throw new IllegalStateException("rest: " + rest + " without any holder left");
  }

  private Decision decision(Limit limit, long nowMicros, Verdict verdict, long waitMicros) {
    long last = holders.stream().mapToLong(Holder::expiryMicros).max().orElse(nowMicros);
    return Decision.of(verdict, limit.permits() - held(), waitMicros, last - nowMicros);
  }
}
