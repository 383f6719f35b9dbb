package dev.weir.simulation;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Decision.Basis;
import dev.weir.Decision.Verdict;
import dev.weir.Store;
import dev.weir.guard.Timers;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Remembers each denial until it is over, or so long, whatever happens in between. */
class Remembering extends Forwarding {
  private final Timers timers;
  private final long mostNanos;
  private final Map<List<Claim>, Denied> known = new HashMap<>();

  private record Denied(Decision decision, long nanos, long untilNanos) {}

  Remembering(Store store, Timers timers, Duration most) {
    super(store);
    this.timers = timers;
    this.mostNanos = most.toNanos();
  }

  @Override
  public Answer take(List<Claim> claims) {
    Denied denied = known.get(claims);
    long now = timers.nanos();
    if (denied != null && now < denied.untilNanos) {
      return later(denied.decision, (now - denied.nanos) / 1_000).on(Basis.REMEMBERED);
    }
    Answer answer = super.take(claims);
    return answer instanceof Decision
        ? answer
        : Answer.later(answer.stage().thenApply(decision -> note(claims, decision)));
  }

  Decision later(Decision decision, long micros) {
    return decision.later(micros);
  }

  private Decision note(List<Claim> claims, Decision decision) {
    boolean denied = decision.verdict() == Verdict.DENIED && decision.basis() == Basis.COUNTED;
    if (claims.size() == 1 && denied) {
      long now = timers.nanos();
      long wait = decision.retryAfter().orElse(Duration.ZERO).toNanos();
      known.put(claims, new Denied(decision, now, now + Math.min(wait, mostNanos)));
    }
    return decision;
  }
}
