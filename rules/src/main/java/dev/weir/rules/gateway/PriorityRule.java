package dev.weir.rules.gateway;

import dev.weir.rule.condition.Condition;
import java.util.List;

/**
 * Gives a priority to the requests that meet all conditions. Immutable.
 *
 * @param match the conditions; none match every request
 * @param priority from 0, which is never shed, to {@link SheddingSettings#LOWEST}
 */
public record PriorityRule(List<Condition> match, int priority) {
  /** Copies the conditions. */
  public PriorityRule {
    match = List.copyOf(match);
  }
}
