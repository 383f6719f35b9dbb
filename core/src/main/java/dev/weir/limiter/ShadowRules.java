package dev.weir.limiter;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Store;
import dev.weir.limiter.Limiter.Listener;
import dev.weir.limiter.Limiter.Outcome;
import dev.weir.rule.Rule;
import dev.weir.rule.book.Charge;
import dev.weir.rule.book.Match;
import java.util.List;

/**
 * Counts requests for rules that are not enforced, and reports the outcome that each rule would
 * have had.
 *
 * <p>The limits of one rule are taken all or none, as they would be if the rule were enforced;
 * rules have no influence on each other.
 */
public final class ShadowRules {
  private ShadowRules() {}

  /** Counts a request that passes; the outcomes are reported when the store answers. */
  public static void count(Match match, Store store, Listener listener) {
    List<Charge> charges = match.shadows();
    for (int from = 0; from < charges.size(); ) {
      int to = endOfRule(charges, from);
      take(charges.subList(from, to), store, listener);
      from = to;
    }
    reportBlocks(match, listener);
  }

  /** Reports a request that passes while the store does not answer: nothing can be counted. */
  static void leaveUncounted(Match match, Listener listener) {
    List<Charge> charges = match.shadows();
    for (int from = 0; from < charges.size(); from = endOfRule(charges, from)) {
      listener.onOutcome(charges.get(from).rule(), Outcome.UNCOUNTED);
    }
    reportBlocks(match, listener);
  }

  @SuppressWarnings("ReferenceEquality") // of one version of the rules, each rule is one object
  private static int endOfRule(List<Charge> charges, int from) {
    int to = from + 1;
    while (to < charges.size() && charges.get(to).rule() == charges.get(from).rule()) {
      to++;
    }
    return to;
  }

  private static void take(List<Charge> charges, Store store, Listener listener) {
    Rule rule = charges.get(0).rule();
    List<Claim> claims = charges.stream().map(Charge::claim).toList();
    Answer answer = store.take(claims);
    if (answer instanceof Decision decision) {
      listener.onOutcome(rule, outcome(decision));
    } else {
      var unused =
          answer
              .stage()
              .whenComplete(
                  (decision, failure) ->
                      listener.onOutcome(
                          rule, failure == null ? outcome(decision) : Outcome.UNCOUNTED));
    }
  }

  private static Outcome outcome(Decision decision) {
    return decision.allowed() ? Outcome.ALLOWED : Outcome.SHADOW_DENIED;
  }

  private static void reportBlocks(Match match, Listener listener) {
    match.shadowBlocks().forEach(rule -> listener.onOutcome(rule, Outcome.SHADOW_DENIED));
  }
}
