package dev.weir.yaml;

import dev.weir.domain.DomainRule;
import dev.weir.rule.Rule;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Which rules came with a version, and which went; a rule by another name is another rule. */
record Changes(List<String> fresh, List<String> gone) {
  private static final int MOST_NAMED = 10;

  static Changes between(RuleSet before, RuleSet after) {
    return new Changes(missing(after, before), missing(before, after));
  }

  /** What the first has and the second has not. */
  private static List<String> missing(RuleSet of, RuleSet in) {
    Set<String> names = names(of);
    names.removeAll(names(in));
    return List.copyOf(names);
  }

  private static Set<String> names(RuleSet rules) {
    Set<String> names = new LinkedHashSet<>();
    for (Rule rule : rules.book().rules()) {
      names.add(rule.name());
    }
    for (DomainRule rule : rules.domains().rules()) {
      names.add(Problems.printable(rule.path()));
    }
    return names;
  }

  /** As in {@code : 1 new (a), 2 gone (b, c)}; empty if there is nothing to tell. */
  @Override
  public String toString() {
    if (fresh.isEmpty() && gone.isEmpty()) {
      return "";
    }
    String comma = fresh.isEmpty() || gone.isEmpty() ? "" : ", ";
    return ": " + told(fresh, "new") + comma + told(gone, "gone");
  }

  private static String told(List<String> names, String what) {
    if (names.isEmpty()) {
      return "";
    }
    List<String> some = names.subList(0, Math.min(MOST_NAMED, names.size()));
    int more = names.size() - some.size();
    String rest = more == 0 ? "" : " and " + more + " more";
    return names.size() + " " + what + " (" + String.join(", ", some) + rest + ")";
  }
}
