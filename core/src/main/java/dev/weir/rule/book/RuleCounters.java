package dev.weir.rule.book;

import dev.weir.Algorithm;
import dev.weir.Limit;
import dev.weir.key.KeySpace;
import dev.weir.rule.Allowance;
import dev.weir.rule.Policy;
import dev.weir.rule.Rule;
import dev.weir.time.CalendarWindow;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The names of a rule's counters.
 *
 * <p>If the rule has several limits, each counter is named by its window: adding, removing and
 * reordering limits then keeps the counts of the others, and a caller keeps them when the tier
 * changes. A single counter has the name of its rule, and so keeps its count when its window
 * changes. Thread-safe.
 */
final class RuleCounters {
  /** How many allowances beside the rule's keep their names; others are named each time. */
  private static final int MAX_OTHERS = 10_000;

  private final Rule rule;
  private final KeySpace keys;

  /** Between the names of rules, which have no such character, and those of windows. */
  private final String separator;

  private final boolean several;
  private final IdentityHashMap<Allowance, Counter[]> own = new IdentityHashMap<>();

  /** Those of allowances that are not in the rules. */
  private final Map<Allowance, Counter[]> others = new ConcurrentHashMap<>();

  /** The names of one limit: the policy that clients see, and the counter among a caller's. */
  record Counter(Policy policy, KeySpace.Name name) {
    Limit limit() {
      return policy.limit();
    }
  }

  private RuleCounters(Rule rule, KeySpace keys, String separator, List<Allowance> allowances) {
    this.rule = rule;
    this.keys = keys;
    this.separator = separator;
    this.several = allowances.stream().anyMatch(one -> one.limits().size() > 1);
    for (Allowance allowance : allowances) {
      own.put(allowance, name(allowance, several));
    }
  }

  static RuleCounters ofRule(Rule rule, KeySpace keys) {
    return new RuleCounters(rule, keys, "#", rule.allowances());
  }

  static RuleCounters ofCandidate(Rule rule, KeySpace keys) {
    return new RuleCounters(rule, keys, "#candidate#", rule.candidateAllowances());
  }

  /** The counters of an allowance, in the order of its limits. */
  Counter[] of(Allowance allowance) {
    Counter[] known = own.get(allowance);
    if (known == null) {
      known = others.get(allowance);
    }
    if (known == null) {
      known = name(allowance, several || allowance.limits().size() > 1);
      if (others.size() < MAX_OTHERS) {
        others.put(allowance, known);
      }
    }
    return known;
  }

  private Counter[] name(Allowance allowance, boolean byWindow) {
    Map<String, Integer> seen = new HashMap<>();
    return allowance.limits().stream()
        .map(
            limit -> {
              String window = byWindow ? window(limit) : "";
              int same = seen.merge(window, 1, Integer::sum);
              String suffix = same == 1 ? window : window + "-" + same;
              String policy = byWindow ? rule.name() + "-" + suffix : rule.name();
              KeySpace.Name name = keys.name(rule.name() + separator + suffix);
              Limit enforced = rule.perServer(limit).ofRule(rule.name());
              return new Counter(new Policy(policy, enforced), name);
            })
        .toArray(Counter[]::new);
  }

  private static String window(Limit limit) {
    if (limit.algorithm() == Algorithm.CONCURRENCY) {
      return "concurrent";
    }
    long millis = limit.windowMicros() / 1_000;
    return limit
        .calendar()
        .map(CalendarWindow::unit)
        .orElse(millis % 1_000 == 0 ? millis / 1_000 + "s" : millis + "ms");
  }
}
