package dev.weir.rule.book;

import dev.weir.rule.Allowance;
import dev.weir.rule.CallerOverride;
import dev.weir.rule.Rule;
import dev.weir.rule.action.CallerAction;
import dev.weir.rule.condition.Condition;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Whether one rule applies to a request, and why.
 *
 * @param rule the rule
 * @param failed the conditions that do not hold; if there are none, the rule matches
 * @param caller who the rule takes the request to come from
 * @param allowance what this caller is allowed
 * @param match the charges of the rule
 */
public record Explanation(
    Rule rule, List<Failed> failed, Caller caller, Allowance allowance, Match match) {

  /** A condition that does not hold for the value the request has, if it has one. */
  public record Failed(Condition condition, @Nullable String value) {}

  /**
   * The caller as one rule sees it.
   *
   * @param identity the names and values that identify the caller, alternating; an empty name
   *     stands before a part that is absent
   * @param hash of the identity, by which operators block or exempt the caller
   * @param action what an operator does to this caller, if anything: it goes before everything the
   *     rule says
   * @param skipped whether the rule is skipped because a part of the identity is absent
   * @param outside whether the caller is outside the share of callers that the rule applies to
   * @param override what is configured for this caller, if anything is
   */
  public record Caller(
      List<String> identity,
      long hash,
      Optional<CallerAction> action,
      boolean skipped,
      boolean outside,
      Optional<CallerOverride> override) {}

  /** Whether the rule matches and includes the caller. */
  public boolean applies() {
    boolean included =
        caller.action.map(CallerAction::blocked).orElse(!caller.skipped && !caller.outside);
    return failed.isEmpty() && included;
  }
}
