package dev.weir.rule;

import dev.weir.Decision;
import dev.weir.Decision.Basis;
import dev.weir.rule.Limiter.Outcome;
import dev.weir.rule.Limiter.Watcher;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Turns the outcomes of single limits into one outcome for each rule of a request.
 *
 * <p>Add the limits in the order of the rules, so that those of one rule stand together, and call
 * {@link #end} after the last one. A rule with several limits denies if one of them does. A rule
 * that had no part in a denial is reported as {@link Outcome#DENIED_BY_OTHER}.
 */
public final class RuleOutcomes {
  private final Watcher watcher;
  private final boolean passes;
  private @Nullable Rule rule;
  private Outcome outcome = Outcome.ALLOWED;

  /**
   * @param passes whether the request passes, as far as all rules are concerned
   */
  public RuleOutcomes(Watcher watcher, boolean passes) {
    this.watcher = watcher;
    this.passes = passes;
  }

  /** What one limit of a rule says. */
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
      watcher.told(rule, passes || outcome.denies() ? outcome : Outcome.DENIED_BY_OTHER);
      rule = null;
    }
  }

  /** Reports a decision on all claims of a request. */
  static void report(Match match, Decision decision, Watcher watcher) {
    RuleOutcomes outcomes = new RuleOutcomes(watcher, decision.allowed());
    List<Decision> each = decision.each();
    for (int i = 0; i < each.size() && i < match.rules().size(); i++) {
      outcomes.add(match.rules().get(i), outcome(each.get(i)));
    }
    outcomes.end();
  }

  private static Outcome outcome(Decision ofLimit) {
    if (!ofLimit.allowed()) {
      return Outcome.DENIED;
    }
    return ofLimit.basis() == Basis.UNCOUNTED ? Outcome.UNCOUNTED : Outcome.ALLOWED;
  }

  /** Reports that one of the rules blocks the caller; the others were not asked. */
  static void reportBlocked(Match match, Rule by, Watcher watcher) {
    RuleOutcomes outcomes = new RuleOutcomes(watcher, false);
    outcomes.add(by, Outcome.BLOCKED);
    for (Rule rule : match.rules()) {
      if (!rule.equals(by)) {
        outcomes.add(rule, Outcome.ALLOWED);
      }
    }
    outcomes.end();
  }

  /** Reports that the store does not answer, and that a rule lets nothing pass without it. */
  static void reportUnanswered(Match match, Watcher watcher) {
    RuleOutcomes outcomes = new RuleOutcomes(watcher, false);
    for (int i = 0; i < match.rules().size(); i++) {
      boolean denies = FailureModes.of(match, i) == Rule.WhenStoreFails.DENY;
      outcomes.add(match.rules().get(i), denies ? Outcome.UNANSWERED : Outcome.ALLOWED);
    }
    outcomes.end();
  }
}
