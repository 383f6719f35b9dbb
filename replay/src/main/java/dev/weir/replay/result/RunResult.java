package dev.weir.replay.result;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What one rule set would have done under one spread.
 *
 * @param spread the assumption about the order of time
 * @param requests how many were decided
 * @param denied how many of them would have been denied
 * @param rules what each rule did, in the order of the rules
 * @param groups requests and denials by route and by kind of caller; the most frequent first
 * @param hurt the callers who would be hurt
 * @param deniedOverTime denials over time, in the buckets of the requests: in all first, then those
 *     of rules, routes and kinds of callers that denied any
 */
public record RunResult(
    Spread spread,
    long requests,
    long denied,
    List<RuleOutcomes> rules,
    List<GroupOutcomes> groups,
    HurtCallers hurt,
    List<DeniedSeries> deniedOverTime) {
  /** Copies the lists. */
  public RunResult {
    rules = List.copyOf(rules);
    groups = List.copyOf(groups);
    deniedOverTime = List.copyOf(deniedOverTime);
  }

  /** The share of the requests that would have been denied, from 0 to 1. */
  public double deniedShare() {
    return requests == 0 ? 0 : (double) denied / requests;
  }

  /** The first request that would have been denied; empty if none. */
  public Optional<LogPosition> firstDenial() {
    return rules.stream()
        .flatMap(rule -> rule.firstDenial().stream())
        .min(Comparator.comparingLong(LogPosition::micros).thenComparingLong(LogPosition::line));
  }
}
