package dev.weir.limiter;

import dev.weir.Decision;
import dev.weir.Decision.Basis;
import dev.weir.limiter.Limiter.Listener;
import dev.weir.limiter.Limiter.Outcome;
import dev.weir.rule.FailureMode;
import dev.weir.rule.Rule;
import dev.weir.rule.book.Charge;
import dev.weir.rule.book.Match;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Turns the outcomes of single limits into one outcome for each rule of a request.
 *
 * <p>Add the limits in the order of the rules, so that those of one rule stand together, and call
 * {@link #end} after the last one. A rule with several limits denies if one of them does. A rule
 * that had no part in a denial is reported as {@link Outcome#DENIED_BY_OTHER}.
 *
 * <p>An object of this class serves one request, and is not safe for use by several threads.
 */
public final class RuleOutcomes {
  private final Listener listener;
  private final boolean passes;
  private @Nullable Rule rule;
  private Outcome outcome = Outcome.ALLOWED;

  /**
   * Outcomes of one request, for a listener.
   *
   * @param passes whether all rules together let the request pass
   */
  public RuleOutcomes(Listener listener, boolean passes) {
    this.listener = listener;
    this.passes = passes;
  }

  /** Adds the outcome of one limit of a rule. */
  @SuppressWarnings("ReferenceEquality") // of one version of the rules, each rule is one object
  public void add(Rule of, Outcome ofLimit) {
    if (of != rule) {
      end();
      rule = of;
      outcome = ofLimit;
    } else if (ofLimit.compareTo(outcome) > 0) {
      outcome = ofLimit;
    }
  }

  /** Reports the rule that was added last. */
  public void end() {
    if (rule != null) {
      listener.onOutcome(rule, passes || outcome.denies() ? outcome : Outcome.DENIED_BY_OTHER);
      rule = null;
    }
  }

  /** Reports a decision on all claims of a request. */
  static void report(Match match, Decision decision, Listener listener) {
    RuleOutcomes outcomes = new RuleOutcomes(listener, decision.allowed());
    List<Decision> each = decision.each();
    for (int i = 0; i < each.size() && i < match.charges().size(); i++) {
      outcomes.add(match.charges().get(i).rule(), outcome(each.get(i)));
    }
    outcomes.end();
  }

  private static Outcome outcome(Decision ofLimit) {
    if (!ofLimit.allowed()) {
      return Outcome.DENIED;
    }
    return ofLimit.basis() == Basis.UNCOUNTED ? Outcome.UNCOUNTED : Outcome.ALLOWED;
  }

  /** Reports that one of the rules blocks the caller; the others were not evaluated. */
  static void reportBlocked(Match match, Rule by, Listener listener) {
    RuleOutcomes outcomes = new RuleOutcomes(listener, false);
    outcomes.add(by, Outcome.BLOCKED);
    for (Charge charge : match.charges()) {
      if (!charge.rule().equals(by)) {
        outcomes.add(charge.rule(), Outcome.ALLOWED);
      }
    }
    outcomes.end();
  }

  /** Reports that the store does not answer, and that a rule denies requests without it. */
  static void reportUnanswered(Match match, Listener listener) {
    RuleOutcomes outcomes = new RuleOutcomes(listener, false);
    for (Charge charge : match.charges()) {
      boolean denies = FailureModes.of(charge) == FailureMode.DENY;
      outcomes.add(charge.rule(), denies ? Outcome.UNANSWERED : Outcome.ALLOWED);
    }
    outcomes.end();
  }
}
