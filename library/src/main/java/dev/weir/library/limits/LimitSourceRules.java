package dev.weir.library.limits;

import dev.weir.Algorithm;
import dev.weir.internal.Rejections;
import dev.weir.rule.Allowance;
import dev.weir.rule.Rule;
import dev.weir.rule.book.RuleBook;
import dev.weir.rules.RulesSnapshot;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

/** Checks that the rules which a {@link LimitSource} names can have limits from elsewhere. */
public final class LimitSourceRules {
  private LimitSourceRules() {}

  /**
   * Checks all of them.
   *
   * @throws IllegalArgumentException if there is none, or for the first one that cannot
   */
  public static void check(LimitSource source, RulesSnapshot active) {
    Map<String, Rule> known = new LinkedHashMap<>();
    Stream.concat(
            active.book().rules().stream(),
            active.callNames().stream()
                .flatMap(name -> active.call(name).stream())
                .map(RuleBook::rules)
                .map(rules -> rules.get(0)))
        .forEach(rule -> known.put(rule.name(), rule));
    String field = source.getClass().getName() + ".rules";
    if (source.rules().isEmpty()) {
      throw Rejections.of(field, "none", "at least one rule");
    }
    for (String name : source.rules()) {
      check(field, name, known);
    }
  }

  private static void check(String field, String name, Map<String, Rule> known) {
    Rule rule = known.get(name);
    if (rule == null) {
      throw Rejections.of(
          field,
          name,
          known.isEmpty() ? "a rule or call; there is none" : "one of " + shown(known));
    }
    if (rule.per().isEmpty()) {
      throw Rejections.of(field, name, "a rule with per, so that it knows callers");
    }
    if (rule.allowances().stream().anyMatch(LimitSourceRules::hasPermits)) {
      throw Rejections.of(field, name, "a rule without concurrent");
    }
  }

  private static String shown(Map<String, Rule> known) {
    int max = 20;
    String names = String.join(", ", known.keySet().stream().limit(max).toList());
    return known.size() > max ? names + " and " + (known.size() - max) + " others" : names;
  }

  private static boolean hasPermits(Allowance allowance) {
    return allowance.limits().stream()
        .anyMatch(limit -> limit.algorithm() == Algorithm.CONCURRENCY);
  }
}
