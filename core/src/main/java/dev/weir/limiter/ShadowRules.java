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
import org.jspecify.annotations.Nullable;

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
      Answer answer = take(match, charges.subList(from, to), store, listener);
      Candidates.judgeInShadow(match, charges.get(from).rule(), answer, store, listener);
      from = to;
    }
    reportBlocks(match, listener);
  }

  /** Reports a request that passes while the store does not answer: nothing can be counted. */
  static void leaveUncounted(Match match, Listener listener) {
    List<Charge> charges = match.shadows();
    for (int from = 0; from < charges.size(); from = endOfRule(charges, from)) {
      RuleOutcomes outcomes = new RuleOutcomes(listener, match, true);
      outcomes.addUnknown(charges.get(from), Outcome.UNCOUNTED);
      outcomes.end();
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

  private static Answer take(Match match, List<Charge> charges, Store store, Listener listener) {
    List<Claim> claims = charges.stream().map(Charge::claim).toList();
    Answer answer = store.take(claims);
    if (answer instanceof Decision decision) {
      report(match, charges, decision, listener);
    } else {
      var unused =
          answer
              .stage()
              .whenComplete((decision, failure) -> report(match, charges, decision, listener));
    }
    return answer;
  }

  /** Reports what the rule would have done; without a decision, it was not counted. */
  private static void report(
      Match match, List<Charge> charges, @Nullable Decision decision, Listener listener) {
    RuleOutcomes outcomes = new RuleOutcomes(listener, match, true);
    for (int i = 0; i < charges.size(); i++) {
      Charge charge = charges.get(i);
      if (decision == null) {
        outcomes.addUnknown(charge, Outcome.UNCOUNTED);
      } else {
        long remaining = decision.each().get(i).remaining();
        outcomes.add(charge.rule(), outcome(decision), charge.claim(), remaining);
      }
    }
    outcomes.end();
  }

  private static Outcome outcome(Decision decision) {
    return decision.allowed() ? Outcome.ALLOWED : Outcome.SHADOW_DENIED;
  }

  private static void reportBlocks(Match match, Listener listener) {
    for (Rule rule : match.shadowBlocks()) {
      RuleOutcomes outcomes = new RuleOutcomes(listener, match, true);
      outcomes.add(rule, Outcome.SHADOW_DENIED, null, 0);
      outcomes.end();
    }
  }
}
