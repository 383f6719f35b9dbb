package dev.weir.rules;

import dev.weir.rule.Rule;
import dev.weir.rules.domain.DomainRule;
import dev.weir.rules.yaml.Problems;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The differences between two versions of the rules. A rule with another name is another rule; one
 * with the same name has changed if anything it says has, be it in a tier or an identity that it
 * refers to.
 *
 * @param settings whether the reading of requests has changed: proxies, tokens, paths, prefixes
 */
record RuleChanges(
    List<String> added, List<String> changed, List<String> removed, boolean settings) {
  private static final int MAX_NAMED = 20;

  static RuleChanges between(RuleSet before, RuleSet after) {
    Map<String, Object> old = byName(before);
    List<String> added = new ArrayList<>();
    List<String> changed = new ArrayList<>();
    byName(after)
        .forEach(
            (name, rule) -> {
              Object previous = old.remove(name);
              if (previous == null) {
                added.add(name);
              } else if (!isSame(previous, rule)) {
                changed.add(name);
              }
            });
    boolean settings = !before.http().equals(after.http());
    return new RuleChanges(added, changed, List.copyOf(old.keySet()), settings);
  }

  private static Map<String, Object> byName(RuleSet rules) {
    Map<String, Object> byName = new LinkedHashMap<>();
    for (Rule rule : rules.book().rules()) {
      byName.put(rule.name(), rule);
    }
    for (DomainRule rule : rules.domains().rules()) {
      byName.put(Problems.printable(rule.path()), rule);
    }
    return byName;
  }

  private static boolean isSame(Object before, Object after) {
    if (before instanceof Rule one && after instanceof Rule other) {
      return isSame(one, other);
    }
    return before.equals(after);
  }

  private static boolean isSame(Rule one, Rule other) {
    return one.match().equals(other.match())
        && one.per().equals(other.per())
        && one.whenAbsent() == other.whenAbsent()
        && one.allowance().equals(other.allowance())
        && one.tiers().equals(other.tiers())
        && one.overrides().equals(other.overrides())
        && one.cost().equals(other.cost())
        && one.failureMode() == other.failureMode()
        && one.mode().equals(other.mode())
        && one.enforced() == other.enforced()
        && one.applied() == other.applied()
        && one.blockedStatus() == other.blockedStatus();
  }

  /** As in {@code : 1 added (a), 1 changed (b), 2 removed (c, d), settings changed}. */
  @Override
  public String toString() {
    List<String> parts = new ArrayList<>();
    append(parts, added, "added");
    append(parts, changed, "changed");
    append(parts, removed, "removed");
    if (settings) {
      parts.add("settings changed");
    }
    return ": " + (parts.isEmpty() ? "no rule changed" : String.join(", ", parts));
  }

  private static void append(List<String> parts, List<String> names, String change) {
    if (names.isEmpty()) {
      return;
    }
    List<String> some = names.subList(0, Math.min(MAX_NAMED, names.size()));
    int more = names.size() - some.size();
    String rest = more == 0 ? "" : " and " + more + " more";
    parts.add(names.size() + " " + change + " (" + String.join(", ", some) + rest + ")");
  }
}
