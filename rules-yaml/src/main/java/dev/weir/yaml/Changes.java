package dev.weir.yaml;

import dev.weir.domain.DomainRule;
import dev.weir.rule.Rule;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What one version of the rules has that the version before had not. A rule by another name is
 * another rule; one of the same name has changed if anything it says has, be it in a tier or an
 * identity that it refers to.
 *
 * @param settings whether requests are read otherwise: proxies, tokens, paths, prefixes
 */
record Changes(List<String> added, List<String> changed, List<String> removed, boolean settings) {
  private static final int MAX_NAMED = 20;

  static Changes between(RuleSet before, RuleSet after) {
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
    return new Changes(added, changed, List.copyOf(old.keySet()), settings);
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
        && one.specials().equals(other.specials())
        && one.cost().equals(other.cost())
        && one.whenStoreFails() == other.whenStoreFails()
        && one.mode().equals(other.mode())
        && one.enforced() == other.enforced()
        && one.applied() == other.applied()
        && one.blockedStatus() == other.blockedStatus();
  }

  /** As in {@code : 1 added (a), 1 changed (b), 2 removed (c, d), settings changed}. */
  @Override
  public String toString() {
    List<String> parts = new ArrayList<>();
    name(parts, added, "added");
    name(parts, changed, "changed");
    name(parts, removed, "removed");
    if (settings) {
      parts.add("settings changed");
    }
    return ": " + (parts.isEmpty() ? "no rule changed" : String.join(", ", parts));
  }

  private static void name(List<String> parts, List<String> names, String how) {
    if (names.isEmpty()) {
      return;
    }
    List<String> some = names.subList(0, Math.min(MAX_NAMED, names.size()));
    int more = names.size() - some.size();
    String rest = more == 0 ? "" : " and " + more + " more";
    parts.add(names.size() + " " + how + " (" + String.join(", ", some) + rest + ")");
  }
}
