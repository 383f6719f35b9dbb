package dev.weir.replay.proof;

import dev.weir.Algorithm;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Store;
import dev.weir.http.request.HttpRequest;
import dev.weir.limiter.Limiter;
import dev.weir.rule.book.Charge;
import dev.weir.rule.book.Match;
import dev.weir.rules.RuleSet;
import dev.weir.rules.RulesSnapshot;
import dev.weir.testkit.time.ManualTicker;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Decides about requests like a server does, on a clock moved by hand, and releases the permits of
 * each at its end. The decisions are what a replay must repeat.
 */
final class RecordedServer {
  private final RulesSnapshot rules;
  private final ManualTicker ticker;
  private final Limiter limiter;
  private final PriorityQueue<InFlight> inFlight = new PriorityQueue<>();
  private long permits;

  private record InFlight(long endMicros, long permit, List<Claim> claims)
      implements Comparable<InFlight> {
    @Override
    public int compareTo(InFlight other) {
      return endMicros == other.endMicros
          ? Long.compare(permit, other.permit)
          : Long.compare(endMicros, other.endMicros);
    }
  }

  RecordedServer(RuleSet rules, Store store, ManualTicker ticker) {
    this.rules = RulesSnapshot.of(rules);
    this.ticker = ticker;
    this.limiter = new Limiter(store, (rule, outcome, subject) -> {});
  }

  /** The rule that denies the request; null if it passes and goes on until its end. */
  @Nullable String decide(HttpRequest request, long arrivalMicros, long durationMicros) {
    for (InFlight next = inFlight.peek();
        next != null && next.endMicros <= arrivalMicros;
        next = inFlight.peek()) {
      inFlight.remove();
      ticker.setMicros(next.endMicros);
      Decision unused = limiter.release(next.claims).join();
    }
    ticker.setMicros(arrivalMicros);
    Match match = rules.match(request, ++permits);
    Decision decision = limiter.take(match).join();
    if (!decision.allowed()) {
      return match.decisiveRule(decision).orElseThrow().name();
    }
    List<Claim> held = new ArrayList<>();
    for (Charge charge : match.charges()) {
      if (charge.claim().limit().algorithm() == Algorithm.CONCURRENCY) {
        held.add(charge.claim());
      }
    }
    if (!held.isEmpty()) {
      inFlight.add(new InFlight(arrivalMicros + durationMicros, permits, held));
    }
    return null;
  }
}
