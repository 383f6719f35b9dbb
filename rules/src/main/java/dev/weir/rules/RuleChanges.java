package dev.weir.rules;

import dev.weir.rule.Rule;
import dev.weir.rules.domain.DomainRule;
import dev.weir.rules.gateway.UpstreamSettings;
import dev.weir.rules.yaml.Problems;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The differences between two versions of the rules. A rule with another name is another rule; one
 * with the same name has changed if anything it says has, be it in a tier or an identity that it
 * refers to.
 *
 * @param settings what has changed beside the rules, one phrase each
 */
record RuleChanges(
    List<String> added, List<String> changed, List<String> removed, List<String> settings) {
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
    return new RuleChanges(added, changed, List.copyOf(old.keySet()), settings(before, after));
  }

  private static List<String> settings(RuleSet before, RuleSet after) {
    List<String> parts = new ArrayList<>();
    if (!before.http().equals(after.http())) {
      parts.add("settings changed"); // proxies, tokens, paths, prefixes
    }
    Set<UpstreamSettings> upstreams = new LinkedHashSet<>(after.gateway().upstreams());
    upstreams.addAll(before.gateway().upstreams());
    upstreams.removeIf(
        one ->
            before.gateway().upstreams().contains(one)
                && after.gateway().upstreams().contains(one));
    List<String> names = upstreams.stream().map(UpstreamSettings::name).distinct().toList();
    if (!names.isEmpty()) {
      parts.add("upstreams changed (" + some(names) + ")");
    }
    if (!before.gateway().routes().equals(after.gateway().routes())) {
      parts.add("routes changed");
    }
    if (!before.gateway().shedding().equals(after.gateway().shedding())) {
      parts.add("shedding changed");
    }
    return parts;
  }

  private static Map<String, Object> byName(RuleSet rules) {
    Map<String, Object> byName = new LinkedHashMap<>();
    for (Rule rule : rules.book().rules()) {
      byName.put(rule.name(), rule);
    }
    for (Rule call : rules.calls()) {
      byName.put("call " + call.name(), call); // no rule has a blank in its name
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
        && one.candidate().equals(other.candidate())
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
    parts.addAll(settings);
    return ": " + (parts.isEmpty() ? "no rule changed" : String.join(", ", parts));
  }

  private static void append(List<String> parts, List<String> names, String change) {
    if (names.isEmpty()) {
      return;
    }
    parts.add(names.size() + " " + change + " (" + some(names) + ")");
  }

  private static String some(List<String> names) {
    List<String> some = names.subList(0, Math.min(MAX_NAMED, names.size()));
    int more = names.size() - some.size();
    return String.join(", ", some) + (more == 0 ? "" : " and " + more + " more");
  }
}
