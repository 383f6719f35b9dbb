package dev.weir.server.live;

import dev.weir.limiter.Limiter;
import dev.weir.limiter.Limiter.Outcome;
import dev.weir.limiter.Subject;
import dev.weir.rule.Rule;
import dev.weir.server.metrics.RlsStats;
import dev.weir.server.rls.RlsListener.Verdict;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/** Counts requests by their outcome, each once, however many rules apply to it. Thread-safe. */
public final class RequestCounts implements Limiter.Listener {
  private final Map<Outcome, LongAdder> counts = new EnumMap<>(Outcome.class);

  /** Starts at zero. */
  public RequestCounts() {
    for (Outcome outcome : Outcome.values()) {
      counts.put(outcome, new LongAdder());
    }
  }

  @Override
  public void onOutcome(Rule rule, Outcome outcome, Subject subject) {}

  @Override
  public void onRequest(Outcome outcome) {
    Objects.requireNonNull(counts.get(outcome)).increment();
  }

  /** The requests so far, those to Envoy's service included. */
  Map<Outcome, Long> with(RlsStats rls) {
    Map<Outcome, Long> sums = new EnumMap<>(Outcome.class);
    counts.forEach((outcome, count) -> sums.put(outcome, count.sum()));
    sums.merge(Outcome.ALLOWED, rls.decided(Verdict.OK), Long::sum);
    sums.merge(Outcome.DENIED, rls.decided(Verdict.OVER_LIMIT), Long::sum);
    sums.merge(Outcome.SHADOW_DENIED, rls.decided(Verdict.SHADOWED), Long::sum);
    return sums;
  }
}
