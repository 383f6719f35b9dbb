package dev.weir.server;

import dev.weir.rule.Explanation;
import dev.weir.rule.Match;
import dev.weir.rule.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The counters of one rule that a request goes through, and whether they are reset.
 *
 * @param caller names and values that identify whom the rule counts, in turn
 * @param sharedBecause why other callers go through the same counters, if they do
 * @param isLeft whether the counters are left as they are
 */
record RuleReset(
    Rule rule, Match match, List<String> caller, Optional<String> sharedBecause, boolean isLeft) {
  /** What a request is about, and not whose it is. */
  private static final Set<String> OF_NOBODY = Set.of("path", "host", "method", "domain");

  /**
   * @param shared whether to reset counters that other callers share
   */
  static RuleReset of(Explanation one, boolean shared) {
    Optional<String> because = sharedBecause(one.caller());
    boolean left = because.isPresent() && !shared;
    return new RuleReset(one.rule(), one.match(), one.caller(), because, left);
  }

  /** A counter is the caller's own if at least one of the values in its key is the caller's. */
  private static Optional<String> sharedBecause(List<String> caller) {
    if (caller.isEmpty()) {
      return Optional.of("the rule counts all callers together");
    }
    List<String> same = new ArrayList<>();
    List<String> absent = new ArrayList<>();
    for (int i = 0; i + 1 < caller.size(); i += 2) {
      String name = caller.get(i);
      if (name.isEmpty()) {
        absent.add(caller.get(i + 1));
      } else if (OF_NOBODY.contains(name)) {
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
