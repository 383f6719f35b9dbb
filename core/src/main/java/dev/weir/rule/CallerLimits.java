package dev.weir.rule;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Limits of single callers that rules do not list, such as those of tenants in a database. They
 * take the place of a rule's limits and tiers; its overrides go before them.
 *
 * <p>Implementations are thread-safe, and never block: requests are matched on event loops.
 */
@FunctionalInterface
public interface CallerLimits {
  /** No caller has limits of its own. */
  CallerLimits NONE = (rule, caller) -> null;

  /**
   * The allowance of a caller by a rule; null if the rule's own applies.
   *
   * @param caller the names and values that identify the caller, alternating; an empty name stands
   *     before a part that is absent
   */
  @Nullable Allowance find(Rule rule, List<String> caller);
}
