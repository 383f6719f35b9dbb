package dev.weir.replay.result;

import java.util.List;

/**
 * Where two rule sets disagree.
 *
 * @param spread the assumption about the order of time
 * @param bothAllow how many requests both allow
 * @param bothDeny how many requests both deny
 * @param newlyDenied how many the proposed rules deny, and today's allow
 * @param newlyAllowed how many the proposed rules allow, and today's deny
 * @param byRule the disagreements by the rule that denies
 * @param examples the first ten of each disagreement
 */
public record Comparison(
    Spread spread,
    long bothAllow,
    long bothDeny,
    long newlyDenied,
    long newlyAllowed,
    List<RuleDisagreement> byRule,
    List<Example> examples) {
  /** Copies the lists. */
  public Comparison {
    byRule = List.copyOf(byRule);
    examples = List.copyOf(examples);
  }

  /** What two rule sets disagree about. */
  public enum Change {
    /** The proposed rules deny what those of today allow. */
    NEWLY_DENIED,
    /** The proposed rules allow what those of today deny. */
    NEWLY_ALLOWED
  }

  /**
   * The disagreements about one rule.
   *
   * @param change what is different
   * @param rule the one that denies
   * @param requests how many
   */
  public record RuleDisagreement(Change change, String rule, long requests) {}

  /**
   * A request about which two rule sets disagree.
   *
   * @param change what is different
   * @param rule the one that denies
   * @param at its line in the log
   * @param method as sent
   * @param target as sent
   * @param caller as the rules that deny know it
   */
  public record Example(
      Change change, String rule, LogPosition at, String method, String target, String caller) {}
}
