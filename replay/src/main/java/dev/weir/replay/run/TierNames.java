package dev.weir.replay.run;

import dev.weir.Limit;
import dev.weir.rule.Allowance;
import dev.weir.rule.Rule;
import dev.weir.rule.Tiers;
import dev.weir.rule.book.Charge;
import dev.weir.rule.book.Match;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Tells by the limits that a request is charged to which tier its caller has. Tiers with the same
 * limits cannot be distinguished, and share a name: {@code free or trial}. Immutable.
 */
final class TierNames {
  /** Stands for a caller without any tier. */
  static final int NONE = 0;

  private final List<String> names = new ArrayList<>(List.of(""));
  private final IdentityHashMap<Rule, Map<Limit, Integer>> tiers = new IdentityHashMap<>();

  TierNames(List<Rule> rules) {
    for (Rule rule : rules) {
      rule.tiers().ifPresent(all -> tiers.put(rule, byLimit(rule, all)));
    }
  }

  private Map<Limit, Integer> byLimit(Rule rule, Tiers all) {
    Map<Limit, String> named = new HashMap<>();
    for (Map.Entry<String, Allowance> tier : new TreeMap<>(all.tiers()).entrySet()) {
      for (Limit limit : tier.getValue().limits()) {
        named.merge(
            rule.perServer(limit), tier.getKey(), (before, other) -> before + " or " + other);
      }
    }
    Map<Limit, Integer> indexed = new HashMap<>();
    named.forEach(
        (limit, name) -> {
          if (!names.contains(name)) {
            names.add(name);
          }
          indexed.put(limit, names.indexOf(name));
        });
    return indexed;
  }

  /** The number of the caller's tier, by the first rule with tiers that applies. */
  int find(Match match) {
    if (tiers.isEmpty()) {
      return NONE;
    }
    for (Charge charge : match.charges()) {
      Map<Limit, Integer> byLimit = tiers.get(charge.rule());
      if (byLimit != null) {
        return byLimit.getOrDefault(charge.policy().limit(), NONE);
      }
    }
    return NONE;
  }

  /** The name of a tier. */
  String name(int tier) {
    return names.get(tier);
  }
}
