package dev.weir.rules.gateway;

import dev.weir.rule.condition.Condition;
import java.util.List;

/**
 * Sends the requests that meet all conditions to an upstream. Immutable.
 *
 * @param match the conditions; none match every request
 * @param upstream the name of the upstream
 */
public record Route(List<Condition> match, String upstream) {
  /** Copies the conditions. */
  public Route {
    match = List.copyOf(match);
  }
}
