package dev.weir.rule;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Store;
import dev.weir.rule.Limiter.Outcome;
import dev.weir.rule.Limiter.Watcher;
import java.util.List;

/**
 * Counts requests for rules that are not enforced, and reports what each rule would have said.
 *
 * <p>The limits of one rule are taken all or none, as they would be if the rule were enforced;
 * rules have no influence on each other.
 */
public final class ShadowRules {
  private ShadowRules() {}

  /** Counts a request that passes, without waiting for the store. */
  public static void count(Match match, Store store, Watcher watcher) {
    List<Rule> rules = match.shadowRules();
    for (int from = 0; from < rules.size(); ) {
      int to = endOfRule(rules, from);
      take(rules.get(from), match.shadows().subList(from, to), store, watcher);
      from = to;
    }
    reportBlocks(match, watcher);
  }

  /** Reports a request that passes while the store does not answer: nothing can be counted. */
  static void leaveUncounted(Match match, Watcher watcher) {
    List<Rule> rules = match.shadowRules();
    for (int from = 0; from < rules.size(); from = endOfRule(rules, from)) {
      watcher.told(rules.get(from), Outcome.UNCOUNTED);
    }
    reportBlocks(match, watcher);
  }

  @SuppressWarnings("ReferenceEquality") // of one version of the rules, each rule is one object
  private static int endOfRule(List<Rule> rules, int from) {
    int to = from + 1;
    while (to < rules.size() && rules.get(to) == rules.get(from)) {
      to++;
    }
    return to;
  }

  private static void take(Rule rule, List<Claim> claims, Store store, Watcher watcher) {
    Answer answer = store.take(claims);
    if (answer instanceof Decision decision) {
      watcher.told(rule, outcome(decision));
    } else {
      var unused =
          answer
              .stage()
              .whenComplete(
                  (decision, failure) ->
                      watcher.told(rule, failure == null ? outcome(decision) : Outcome.UNCOUNTED));
    }
  }

  private static Outcome outcome(Decision decision) {
    return decision.allowed() ? Outcome.ALLOWED : Outcome.SHADOW_DENIED;
  }

  private static void reportBlocks(Match match, Watcher watcher) {
    match.shadowBlocks().forEach(rule -> watcher.told(rule, Outcome.SHADOW_DENIED));
  }
}
