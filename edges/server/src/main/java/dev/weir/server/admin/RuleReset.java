package dev.weir.server.admin;

import dev.weir.rule.Rule;
import dev.weir.rule.book.Explanation;
import dev.weir.rule.book.Match;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The counters of one rule that apply to a request, and whether they are reset.
 *
 * @param caller names and values, alternating, by which the rule identifies the caller
 * @param sharedBecause why other callers share the counters, if they do
 * @param isLeft whether the counters are left as they are
 */
record RuleReset(
    Rule rule, Match match, List<String> caller, Optional<String> sharedBecause, boolean isLeft) {
  /** Values that describe a request, and do not identify its caller. */
  private static final Set<String> NOT_IDENTIFYING = Set.of("path", "host", "method", "domain");

  /**
   * Decides whether the counters of an explained rule are reset.
   *
   * @param shared whether to reset counters that other callers share
   */
  static RuleReset of(Explanation one, boolean shared) {
    return of(one.rule(), one.match(), one.caller().identity(), shared);
  }

  /** Decides whether counters are reset by which a rule counts a caller. */
  static RuleReset of(Rule rule, Match match, List<String> caller, boolean shared) {
    Optional<String> because = sharedBecause(caller);
    boolean left = because.isPresent() && !shared;
    return new RuleReset(rule, match, caller, because, left);
  }

  /** A counter is the caller's own if at least one of the values in its key is the caller's. */
  static Optional<String> sharedBecause(List<String> caller) {
    if (caller.isEmpty()) {
      return Optional.of("the rule counts all callers together");
    }
    List<String> same = new ArrayList<>();
    List<String> absent = new ArrayList<>();
    for (int i = 0; i + 1 < caller.size(); i += 2) {
      String name = caller.get(i);
      if (name.isEmpty()) {
        absent.add(caller.get(i + 1));
      } else if (NOT_IDENTIFYING.contains(name)) {
        same.add(name);
      } else {
        return Optional.empty();
      }
    }
    return Optional.of(
        absent.isEmpty()
            ? "the rule counts all callers with the same " + String.join(" and ", same)
            : "the rule counts all requests without " + String.join(" and ", absent));
  }
}
