package dev.weir.replay.run;

import dev.weir.replay.log.LogEntry;
import dev.weir.replay.result.RuleDemand;
import dev.weir.rule.Policy;
import dev.weir.rule.Rule;
import dev.weir.rule.book.Charge;
import dev.weir.rule.book.Match;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What requests ask of each rule, whatever is decided. For one thread. */
final class DemandTally {
  /** How many limits are distinguished: overrides can make any number of them. */
  private static final int MAX_LIMITS = 1_000;

  private final List<Rule> rules;
  private final long maxCallers;
  private final Positions positions;
  private final IdentityHashMap<Rule, OfRule> byRule = new IdentityHashMap<>();
  private final IdentityHashMap<Policy, LimitTally> byPolicy = new IdentityHashMap<>();

  DemandTally(List<Rule> rules, long maxCallers, Positions positions) {
    this.rules = rules;
    this.maxCallers = maxCallers;
    this.positions = positions;
    rules.forEach(rule -> byRule.put(rule, new OfRule()));
  }

  /** The counts of one rule. */
  private static final class OfRule {
    private long matched;
    private final List<LimitTally> limits = new ArrayList<>();
  }

  void add(Match match, LogEntry entry) {
    addAll(match.charges(), entry);
    addAll(match.shadows(), entry);
    match.blockedBy().ifPresent(rule -> of(rule).matched++);
    match.shadowBlocks().forEach(rule -> of(rule).matched++);
  }

  @SuppressWarnings("ReferenceEquality") // of one version of the rules, each rule is one object
  private void addAll(List<Charge> charges, LogEntry entry) {
    Rule last = null;
    for (int i = 0; i < charges.size(); i++) {
      Charge charge = charges.get(i);
      if (charge.rule() != last) {
        last = charge.rule();
        of(last).matched++;
      }
      LimitTally limit = limit(charge);
      if (limit != null) {
        limit.add(charge.claim(), entry);
      }
    }
  }

  private OfRule of(Rule rule) {
    return Objects.requireNonNull(byRule.get(rule));
  }

  private @Nullable LimitTally limit(Charge charge) {
    LimitTally known = byPolicy.get(charge.policy());
    if (known == null && byPolicy.size() < MAX_LIMITS) {
      known = new LimitTally(charge.policy(), maxCallers, positions);
      byPolicy.put(charge.policy(), known);
      of(charge.rule()).limits.add(known);
    }
    return known;
  }

  /** How many requests a rule applied to. */
  long matched(Rule rule) {
    return of(rule).matched;
  }

  /** The counts in the order of the rules. To be called once. */
  List<RuleDemand> results() {
    return rules.stream()
        .map(
            rule ->
                new RuleDemand(
                    rule.name(),
                    rule.enforced() == 0,
                    of(rule).matched,
                    of(rule).limits.stream().map(LimitTally::result).toList()))
        .toList();
  }
}
