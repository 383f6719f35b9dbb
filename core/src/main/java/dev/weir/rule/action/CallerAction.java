package dev.weir.rule.action;

import java.util.Optional;

/**
 * A caller whom an operator blocks or exempts for a while, whatever the rules say.
 *
 * @param id of the action, for explanations
 * @param caller the hash of the caller's identity, {@link dev.weir.key.KeySpace.Owner#hash()}
 * @param rule the name of the only rule that it is about; if empty, it is about all rules that
 *     count by that identity
 * @param blocked whether no request of the caller passes; otherwise the rules do not apply to it
 */
public record CallerAction(String id, long caller, Optional<String> rule, boolean blocked) {

  boolean isAbout(String ruleName) {
    return rule.isEmpty() || rule.get().equals(ruleName);
  }
}
