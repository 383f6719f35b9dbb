package dev.weir.limiter;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Decision.Basis;
import dev.weir.limiter.Limiter.Listener;
import dev.weir.limiter.Limiter.Outcome;
import dev.weir.rule.FailureMode;
import dev.weir.rule.Rule;
import dev.weir.rule.book.Charge;
import dev.weir.rule.book.Match;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Turns the outcomes of single limits into one outcome for each rule of a request.
 *
 * <p>Add the limits in the order of the rules, so that those of one rule stand together, and call
 * {@link #end} after the last one. A rule with several limits denies if one of them does. A rule
 * that had no part in a denial is reported as {@link Outcome#DENIED_BY_OTHER}.
 *
 * <p>An object of this class serves one request, and is not safe for use by several threads. It is
 * also the subject of each outcome, so that reporting one allocates nothing.
 */
public final class RuleOutcomes implements Subject {
  private static final int ALL_PERCENT = 100;

  private final Listener listener;
  private final Match match;
  private final boolean passes;
  private @Nullable Rule rule;
  private Outcome outcome = Outcome.ALLOWED;
  private @Nullable Claim claim;
  private int usedPercent;

  /**
   * Outcomes of one request, for a listener.
   *
   * @param match the charges of the request
   * @param passes whether all rules together let the request pass
   */
  public RuleOutcomes(Listener listener, Match match, boolean passes) {
    this.listener = listener;
    this.match = match;
    this.passes = passes;
  }

  /**
   * Adds the outcome of one limit of a rule.
   *
   * @param ofClaim what the limit was asked for; null if the caller is blocked
   * @param remaining what is left of it
   */
  @SuppressWarnings("ReferenceEquality") // of one version of the rules, each rule is one object
  public void add(Rule of, Outcome ofLimit, @Nullable Claim ofClaim, long remaining) {
    int used = ofClaim == null ? ALL_PERCENT : usedPercent(ofClaim, remaining);
    if (of != rule) {
      end();
      rule = of;
      outcome = ofLimit;
      claim = ofClaim;
      usedPercent = used;
    } else {
      usedPercent = Math.max(usedPercent, used);
      if (ofLimit.compareTo(outcome) > 0) {
        outcome = ofLimit;
        claim = ofClaim; // of several callers, the one that is denied
      }
    }
  }

  private static int usedPercent(Claim claim, long remaining) {
    long capacity = claim.limit().capacity();
    return (int) (ALL_PERCENT * (capacity - Math.min(capacity, Math.max(0, remaining))) / capacity);
  }

  /** Reports the rule that was added last. */
  public void end() {
    if (rule != null) {
      Outcome reported = passes || outcome.denies() ? outcome : Outcome.DENIED_BY_OTHER;
      listener.onOutcome(rule, reported, this);
      rule = null;
    }
  }

  @Override
  public long caller() {
    if (rule == null || rule.per().isEmpty()) {
      return 0;
    }
    return claim == null ? match.blockedCaller() : claim.key().high();
  }

  @Override
  public int usedPercent() {
    return usedPercent;
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // of one version of the rules, each rule is one object
  public List<Claim> claims() {
    List<Claim> claims = new ArrayList<>();
    long caller = caller();
    for (List<Charge> charges : List.of(match.charges(), match.shadows())) {
      for (Charge charge : charges) {
        if (charge.rule() == rule && charge.claim().key().high() == caller) {
          claims.add(charge.claim());
        }
      }
    }
    return claims;
  }

  @Override
  public List<String> identity() {
    return rule == null ? List.of() : match.identity(rule, caller());
  }

  /** Reports a decision on all claims of a request. */
  static void report(Match match, Decision decision, Listener listener) {
    RuleOutcomes outcomes = new RuleOutcomes(listener, match, decision.allowed());
    List<Decision> each = decision.each();
    for (int i = 0; i < each.size() && i < match.charges().size(); i++) {
      Charge charge = match.charges().get(i);
      Decision ofLimit = each.get(i);
      outcomes.add(charge.rule(), outcome(ofLimit), charge.claim(), ofLimit.remaining());
    }
    outcomes.end();
    listener.onRequest(outcome(decision));
  }

  /** The outcome of a limit, or of a request, by the decision on it. */
  private static Outcome outcome(Decision ofLimit) {
    if (!ofLimit.allowed()) {
      return Outcome.DENIED;
    }
    return ofLimit.basis() == Basis.UNCOUNTED ? Outcome.UNCOUNTED : Outcome.ALLOWED;
  }

  /** Reports that one of the rules blocks the caller; the others were not evaluated. */
  static void reportBlocked(Match match, Rule by, Listener listener) {
    RuleOutcomes outcomes = new RuleOutcomes(listener, match, false);
    outcomes.add(by, Outcome.BLOCKED, null, 0);
    for (Charge charge : match.charges()) {
      if (!charge.rule().equals(by)) {
        outcomes.addUnknown(charge, Outcome.ALLOWED);
      }
    }
    outcomes.end();
    listener.onRequest(Outcome.BLOCKED);
  }

  /** Reports that the store does not answer, and that a rule denies requests without it. */
  static void reportUnanswered(Match match, Listener listener) {
    RuleOutcomes outcomes = new RuleOutcomes(listener, match, false);
    for (Charge charge : match.charges()) {
      boolean denies = FailureModes.of(charge) == FailureMode.DENY;
      outcomes.addUnknown(charge, denies ? Outcome.UNANSWERED : Outcome.ALLOWED);
    }
    outcomes.end();
    listener.onRequest(Outcome.UNANSWERED);
  }

  /** Adds a limit whose counter was not read. */
  void addUnknown(Charge charge, Outcome ofLimit) {
    Claim unread = charge.claim();
    add(charge.rule(), ofLimit, unread, unread.limit().capacity());
  }
}
