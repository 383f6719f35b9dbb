package dev.weir.rule;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What one rule makes of a request, and why.
 *
 * @param failed the conditions that do not hold; the rule applies if there are none
 * @param caller names and values that identify whom it counts, in turn; an empty name stands before
 *     a part that is absent
 * @param skipped whether it is left out because a part of the identity is absent
 * @param outside whether the caller is none of those whom the rule is tried out on
 * @param special the exception that is about that caller, if there is one
 * @param allowance what that caller is allowed
 * @param match the claims it makes
 */
public record Explanation(
    Rule rule,
    List<Failed> failed,
    List<String> caller,
    boolean skipped,
    boolean outside,
    Optional<Special> special,
    Allowance allowance,
    Match match) {

  /** A condition that does not hold for the value the request has, if it has one. */
  public record Failed(Condition condition, @Nullable String value) {}

  public boolean applies() {
    return failed.isEmpty() && !skipped && !outside;
  }
}
