package dev.weir.replay.run;

import dev.weir.Decision;
import dev.weir.limiter.Limiter;
import dev.weir.limiter.Subject;
import dev.weir.replay.log.LogEntry;
import dev.weir.replay.result.Spread;
import dev.weir.rule.Rule;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * One rule set under one spread: decides about requests with the limiter and the algorithms that
 * servers use, on a clock of its own. For one thread.
 */
final class Run implements Limiter.Listener {
  private final Spread spread;
  private final Positions positions;
  private final VirtualClock clock = new VirtualClock();
  private final ReplayStore store;
  private final Limiter limiter;
  private final HeldPermits permits = new HeldPermits();
  private final List<RuleTally> tallies;
  private final IdentityHashMap<Rule, RuleTally> byRule = new IdentityHashMap<>();
  private long requests;
  private long denied;
  private final long[] deniedOverTime;
  private @Nullable LogEntry current;
  private int bucket;

  Run(Spread spread, List<RuleTally> tallies, long maxKeys, Positions positions, long[] denied) {
    this.spread = spread;
    this.positions = positions;
    this.store = new ReplayStore(clock, maxKeys);
    this.limiter = new Limiter(store, this);
    this.tallies = List.copyOf(tallies);
    tallies.forEach(tally -> byRule.put(tally.rule(), tally));
    this.deniedOverTime = denied;
  }

  /**
   * Decides about a request.
   *
   * @param micros when it arrives
   * @param atBucket of the time axis
   * @return the rule that denies it; null if it may pass
   */
  @Nullable Rule decide(PreparedRequest request, long micros, int atBucket) {
    current = request.entry();
    bucket = atBucket;
    permits.release(micros, clock, limiter);
    clock.moveTo(micros);
    Decision decision = limiter.take(request.match()).join();
    requests++;
    if (decision.allowed()) {
      OptionalLong duration = request.entry().durationMicros();
      if (duration.isPresent()) {
        permits.add(request.match(), clock.micros() + duration.getAsLong());
      }
      return null;
    }
    denied++;
    deniedOverTime[atBucket]++;
    return request.match().decisiveRule(decision).orElseThrow();
  }

  @Override
  public void onOutcome(Rule rule, Limiter.Outcome outcome, Subject subject) {
    RuleTally tally = Objects.requireNonNull(byRule.get(rule));
    tally.add(outcome, bucket);
    if (RuleTally.isDenial(outcome) && !tally.hasFirstDenial()) {
      tally.setFirstDenial(positions.of(Objects.requireNonNull(current)));
    }
  }

  Spread spread() {
    return spread;
  }

  long requests() {
    return requests;
  }

  long denied() {
    return denied;
  }

  long[] deniedOverTime() {
    return deniedOverTime;
  }

  List<RuleTally> tallies() {
    return tallies;
  }

  /** How many claims found no counter of their own. */
  long crowdedOut() {
    return store.crowdedOut();
  }
}
