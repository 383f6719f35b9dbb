package dev.weir.replay.result;

import java.util.List;
import java.util.Optional;

/**
 * What a replay found. Immutable, as is all that it consists of.
 *
 * @param log what was replayed
 * @param rules what the rules would have done: the proposed ones first, then those of today, if
 *     they were given
 * @param comparison where two rule sets disagree
 */
public record ReplayResult(
    LogResult log, List<RulesResult> rules, Optional<Comparison> comparison) {
  /** Copies the list. */
  public ReplayResult {
    rules = List.copyOf(rules);
  }

  /** The proposed rules. */
  public RulesResult proposed() {
    return rules.get(0);
  }
}
