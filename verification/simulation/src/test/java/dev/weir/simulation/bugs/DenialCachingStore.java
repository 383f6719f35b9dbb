package dev.weir.simulation.bugs;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Decision.Basis;
import dev.weir.Decision.Verdict;
import dev.weir.Store;
import dev.weir.async.Scheduler;
import dev.weir.simulation.exchange.ForwardingStore;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Caches each denial until its wait or a maximum is over, whatever happens in between. */
class DenialCachingStore extends ForwardingStore {
  private final Scheduler scheduler;
  private final long maxNanos;
  private final Map<List<Claim>, CachedDenial> cached = new HashMap<>();

  private record CachedDenial(Decision decision, long nanos, long untilNanos) {}

  DenialCachingStore(Store store, Scheduler scheduler, Duration max) {
    super(store);
    this.scheduler = scheduler;
    this.maxNanos = max.toNanos();
  }

  @Override
  public Answer take(List<Claim> claims) {
    CachedDenial denial = cached.get(claims);
    long now = scheduler.nanos();
    if (denial != null && now < denial.untilNanos) {
      return age(denial.decision, (now - denial.nanos) / 1_000).withBasis(Basis.CACHED);
    }
    Answer answer = super.take(claims);
    return answer instanceof Decision
        ? answer
        : Answer.later(answer.stage().thenApply(decision -> cache(claims, decision)));
  }

  Decision age(Decision decision, long micros) {
    return decision.agedBy(micros);
  }

  private Decision cache(List<Claim> claims, Decision decision) {
    boolean denied = decision.verdict() == Verdict.DENIED && decision.basis() == Basis.COUNTED;
    if (claims.size() == 1 && denied) {
      long now = scheduler.nanos();
      long wait = decision.retryAfter().orElse(Duration.ZERO).toNanos();
      cached.put(claims, new CachedDenial(decision, now, now + Math.min(wait, maxNanos)));
    }
    return decision;
  }
}
