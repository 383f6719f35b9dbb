package dev.weir.testkit;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Decision.Verdict;
import dev.weir.Limit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Who holds permits of a concurrency limit, and until when. */
record ModelHolders(List<Holder> holders, long lastMicros) implements ModelCounter {
  /** When to ask again though all who hold permits may hold them for longer: after a second. */
  private static final long RETRY_MICROS = 1_000_000;

  static final ModelHolders UNUSED = new ModelHolders(List.of(), 0);

  record Holder(long permit, long expiryMicros, long permits) {}

  @Override
  public Outcome take(Claim claim, long nowMicros) {
    Limit limit = claim.limit();
    ModelHolders now = at(limit, nowMicros);
    ModelHolders others = claim.cost() == 0 ? now : now.without(claim.permit());
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
    after.add(new Holder(claim.permit(), expiry, claim.cost()));
    ModelHolders next = new ModelHolders(after, now.lastMicros);
    return new Outcome(next, next.decision(limit, nowMicros, Verdict.ALLOWED, 0));
  }

  @Override
  public Outcome charge(Claim claim, long nowMicros) {
    return new Outcome(this, standing(claim.limit(), nowMicros));
  }

  @Override
  public Outcome refund(Claim claim, long nowMicros) {
    ModelHolders next = at(claim.limit(), nowMicros).without(claim.permit());
    return new Outcome(next, next.standing(claim.limit(), nowMicros));
  }

  @Override
  public Decision standing(Limit limit, long nowMicros) {
    return at(limit, nowMicros).decision(limit, nowMicros, Verdict.ALLOWED, 0);
  }

  @Override
  public long used(Limit limit, long nowMicros) {
    return at(limit, nowMicros).held();
  }

  @Override
  public boolean survives(Limit from, Limit to) {
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

  private ModelHolders without(long permit) {
    List<Holder> others = new ArrayList<>(holders);
    others.removeIf(holder -> holder.permit == permit);
    return new ModelHolders(others, lastMicros);
  }

  private long held() {
    return holders.stream().mapToLong(Holder::permits).sum();
  }

  /** The moment when no more than {@code rest} is held, if nobody renews. */
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
    throw new IllegalStateException("rest: " + rest + " with nobody left");
  }

  private Decision decision(Limit limit, long nowMicros, Verdict verdict, long waitMicros) {
    long last = holders.stream().mapToLong(Holder::expiryMicros).max().orElse(nowMicros);
    return Decision.of(verdict, limit.permits() - held(), waitMicros, last - nowMicros);
  }
}
