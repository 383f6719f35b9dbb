package dev.weir.replay.result;

import java.util.List;

/**
 * What requests asked of one rule.
 *
 * @param rule its name
 * @param shadow whether it denies nobody yet
 * @param matched how many requests it applied to
 * @param limits its limits that were asked for; one for each tier, override and window
 */
public record RuleDemand(String rule, boolean shadow, long matched, List<LimitDemand> limits) {
  /** Copies the list. */
  public RuleDemand {
    limits = List.copyOf(limits);
  }
}
